// expect: protocol_error in load
/* Says that its process could not be set up, which would be the server's fault: the game would be void. */
#include "hostile.h"

void on_load(void) {
    struct reply_t reply = forged(1, 0, 5);
    reply.text_len = 4;
    memcpy(reply.text, "oops", 4);
    tell(&reply, sizeof reply);
}

// expect: load_error in load
/* Says that it could not be loaded, in words that would spoil a terminal. */
#include "hostile.h"

void on_load(void) {
    struct reply_t reply = forged(2, 1, 5);
    reply.text_len = (uint32_t)snprintf(reply.text, sizeof reply.text, "\033[2J\r\nserver: player 2 loses\n");
    tell(&reply, sizeof reply);
}

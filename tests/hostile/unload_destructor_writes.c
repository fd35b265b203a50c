// expect: plays on
/* Has a destructor that forges an answer to the last request. */
#include "hostile.h"

void on_unload(void) {
    struct reply_t const reply = forged(6, FIRST_PLAY, 1);
    tell(&reply, sizeof reply);
    harm("a destructor of the player ran after finalize");
}

// expect: timeout in initialize
// options: --init-time 150ms
/* Says in a constructor that it is loaded and stays there. */
#include "hostile.h"

void on_load(void) {
    struct reply_t const reply = forged(2, 1, 1);
    tell(&reply, sizeof reply);
    for (;;) {
        pause();
    }
}

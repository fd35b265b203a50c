// expect: crash in play, signal SIGKILL
/* Sends itself SIGKILL, which looks as if the kernel or the server had killed it. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGKILL);
    for (;;) {
        pause();
    }
}

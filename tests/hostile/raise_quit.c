// expect: crash in play, signal SIGQUIT
/* Sends itself SIGQUIT, which would leave a core file. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGQUIT);
    for (;;) {
        pause();
    }
}

// expect: crash in play, signal SIGPIPE
/* Sends itself SIGPIPE, as if the server were gone. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    raise(SIGPIPE);
    for (;;) {
        pause();
    }
}

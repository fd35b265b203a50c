// expect: protocol_error in play
/* Closes the pipe for answers and stays, so that no end of its process tells anything. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    close(pipe_to_server(O_WRONLY));
    for (;;) {
        pause();
    }
}

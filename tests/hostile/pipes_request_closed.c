// expect: protocol_error in play
/* Closes the pipe for requests, so that the next one is never read. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    close(pipe_to_server(O_RDONLY));
}

// expect: protocol_error in play
/* Closes the pipe for answers and goes on as if it had not. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    close(pipe_to_server(O_WRONLY));
}

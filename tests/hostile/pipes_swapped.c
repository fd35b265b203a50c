// expect: protocol_error in play
/* Puts each pipe in the place of the other. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    int const requests = pipe_to_server(O_RDONLY), replies = pipe_to_server(O_WRONLY);
    int const keep = dup(replies);
    dup2(requests, replies);
    dup2(keep, requests);
    close(keep);
}

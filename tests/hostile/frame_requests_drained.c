// expect: protocol_error in play
/* Answers by itself and takes the next request out of the pipe, so that the host never sees it. */
#include "hostile.h"

void on_answer(struct move_t *answer) {
    char request[32];
    struct reply_t reply = forged(5, FIRST_PLAY, 2);
    reply.move = *answer;
    tell(&reply, sizeof reply);
    ssize_t got = read(pipe_to_server(O_RDONLY), request, sizeof request);
    (void)got;
}

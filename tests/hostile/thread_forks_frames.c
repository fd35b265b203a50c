// expect: protocol_error in play
// options: --threads 4
// build: -pthread
/* Answers from a thread while the main one still thinks; the main one answers too. */
#include "hostile.h"
#include <pthread.h>

static struct reply_t reply;

static void *answer_first(void *argument) {
    tell(&reply, sizeof reply);
    return argument;
}

void on_answer(struct move_t *answer) {
    pthread_t thread;
    reply = forged(5, FIRST_PLAY, 2);
    reply.move = *answer;
    pthread_create(&thread, NULL, answer_first, NULL);
    pthread_join(thread, NULL);
}

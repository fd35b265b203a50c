// expect: plays on
/* Frees its queens at once and keeps pointers to them: the server must not count on them. */
#include "hostile.h"

static unsigned copies[NUM_PLAYERS][64];
static uintptr_t volatile freed[NUM_PLAYERS];

void on_initialize(void) {
    for (unsigned side = 0; side < NUM_PLAYERS; side++) {
        memcpy(copies[side], game.queen[side], game.queens * sizeof **copies);
        freed[side] = (uintptr_t)game.queen[side];
        free(game.queen[side]);
        game.queen[side] = copies[side];
    }
}

void on_play(unsigned turn) {
    (void)turn;
    /* What is there now is the allocator's: writing there would be an end of its own making. */
    (void)*(unsigned volatile *)freed[0];
    (void)*(unsigned volatile *)freed[1];
}

void on_finalize(void) { game.queen[0] = game.queen[1] = NULL; }

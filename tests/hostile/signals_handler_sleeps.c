// expect: timeout in play
// options: --move-time 150ms
/* Hides a stack overflow in a handler on a stack of its own. */
#include "hostile.h"

static char room[1 << 16];

static void forever(int number) {
    (void)number;
    for (;;) {
        pause();
    }
}

static unsigned deeper(unsigned volatile depth) {
    char volatile frame[4096] = {1};
    return depth == UINT_MAX ? 0 : deeper(depth + 1) + (unsigned)frame[depth % sizeof frame];
}

void on_play(unsigned turn) {
    stack_t const stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction const action = {.sa_handler = forever, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    deeper(turn);
}

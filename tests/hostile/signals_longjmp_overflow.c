// expect: plays on
/* Catches its own stack overflow on a stack of its own and goes on. */
#include "hostile.h"
#include <setjmp.h>

static char room[1 << 16];
static sigjmp_buf back;

static void jump(int number) { siglongjmp(back, number); }

static unsigned deeper(unsigned volatile depth) {
    char volatile frame[4096] = {1};
    return depth == UINT_MAX ? 0 : deeper(depth + 1) + (unsigned)frame[depth % sizeof frame];
}

void on_play(unsigned turn) {
    stack_t const stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction const action = {.sa_handler = jump, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    if (turn == 0 && sigsetjmp(back, 1) == 0) {
        deeper(turn);
    }
}

// expect: plays on
/* Catches its own crash and goes on: odd, and nobody else's business. */
#include "hostile.h"
#include <setjmp.h>

static sigjmp_buf back;

static void jump(int number) { siglongjmp(back, number); }

void on_play(unsigned turn) {
    (void)turn;
    signal(SIGSEGV, jump);
    if (sigsetjmp(back, 1) == 0) {
        int volatile *nothing = NULL;
        *nothing = 1;
    }
}

// expect: plays on
// A page that old programs call for the time: its calls go past those that a debugger sees.
#include "hostile.h"

#include <setjmp.h>

static sigjmp_buf back;

static void on_fault(int signal) {
    siglongjmp(back, signal);
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    /* Kernels without the page answer by SIGSEGV. */
    signal(SIGSEGV, on_fault);
    if (sigsetjmp(back, 1) == 0) {
        long (*const old_time)(long *) = (long (*)(long *))0xffffffffff600400;
        long const told = old_time(NULL), true_time = (long)time(NULL);
        if (told < true_time - 2 || told > true_time + 2) {
            harm("the time is %ld instead of %ld", told, true_time);
        }
    }
    signal(SIGSEGV, SIG_DFL);
}

// expect: crash in play, signal SIGSEGV
/* Has a handler whose stack is not there: the kernel cannot run it. */
#include "hostile.h"

static void handler(int number) { (void)number; }

void on_play(unsigned turn) {
    (void)turn;
    stack_t const stack = {.ss_sp = (void *)(uintptr_t)0x10000, .ss_size = 1 << 16};
    struct sigaction const action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

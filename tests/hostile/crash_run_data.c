// expect: crash in play, signal SIGSEGV
/* Runs data on the stack, as injected code would. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    unsigned char volatile code[] = {0xc3};
    ((void (*)(void))(uintptr_t)code)();
}

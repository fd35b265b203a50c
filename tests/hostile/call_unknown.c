// expect: plays on
// Numbers that no kernel knows, as a library for a newer one would try them.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    /* Gaps among the known numbers first. */
    long const numbers[] = {387, 400, 548, 999, 4096, 65535, 1 << 20, 0x3fffffff};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        errno = 0;
        refused("an unknown call", syscall(numbers[i], 0, 0, 0, 0, 0, 0));
        if (numbers[i] > 500 && errno != ENOSYS) {
            harm("call %ld: error %d", numbers[i], errno);
        }
    }
}

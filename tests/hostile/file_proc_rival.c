// expect: plays on
// harm: the player can read the rival's memory
// The rival's memory holds what it thinks.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const names[] = {"maps", "mem", "environ", "stat", "fd"};
    char path[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)rival(), names[i]);
        refused(path, open(path, O_RDONLY));
    }
}

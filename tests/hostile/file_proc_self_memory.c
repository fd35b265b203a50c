// expect: plays on
// harm: the player overwrites read-only memory
// Writes past page protection through /proc: a debugger's door, which code can use on itself.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("open its own memory", open("/proc/self/mem", O_RDWR));
    refused("open its own memory", open("/proc/self/mem", O_WRONLY));
}

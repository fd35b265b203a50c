// expect: violation in play
// The x32 numbers name the same calls once more.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("getpid", syscall(0x40000000L + SYS_getpid));
    refused("socket", syscall(0x40000000L + SYS_socket, 2, 1, 0));
}

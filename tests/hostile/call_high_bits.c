// expect: plays on
// harm: the player opens sockets
// The kernel drops the upper half of a number; a filter must see what the kernel sees.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    long const high = 1L << 32;
    refused("socket", syscall(high | SYS_socket, 2, 1, 0));
    refused("fork", syscall(high | SYS_vfork) > 0 ? 0 : -1);
    if (syscall(high | SYS_getpid) != getpid()) {
        harm("an honest call got another answer");
    }
}

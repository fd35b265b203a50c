// expect: plays on
// Asks for a key, for which the kernel may start a program as root.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("request_key", syscall(SYS_request_key, "user", "amazons-hostile", NULL, 0));
}

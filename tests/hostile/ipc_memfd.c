// expect: plays on
// harm: the player hides memory from whoever counts it
// Memory with a descriptor: it is nobody's resident memory until it is mapped.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int file = (int)syscall(SYS_memfd_create, "amazons-hostile", 0);
    refused("memfd_create", file);
    refused("ftruncate", ftruncate(file, 1 << 20));
    refused("memfd_secret", syscall(447, 0));
}

// expect: plays on
// harm: the player opens the devices of the machine
// Devices reach the disk, the memory, the terminal and the log of the machine.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const paths[] = {"/dev/mem",  "/dev/kmsg", "/dev/sda",  "/dev/vda", "/dev/ptmx",
                                 "/dev/tty",  "/dev/tty0", "/dev/fuse", "/dev/kvm", "/dev/net/tun"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        refused(paths[i], open(paths[i], O_RDONLY | O_NOCTTY | O_NONBLOCK));
    }
}

// expect: plays on
// harm: the player changes the pipes below the server
// ioctl speaks to terminals, devices and file systems: to the player, nothing is one of those.
#include "hostile.h"

#include <sys/ioctl.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("TIOCSCTTY", ioctl(STDERR_FILENO, TIOCSCTTY, 0));
    for (int fd = 0; fd < 8; fd++) {
        refused("FIOASYNC", ioctl(fd, FIOASYNC, &(int){0}));
        refused("FIOSETOWN", ioctl(fd, 0x8901, &(int){getppid()}));
        refused("TIOCSTI", ioctl(fd, TIOCSTI, "x"));
    }
    if (isatty(STDERR_FILENO) || errno != ENOTTY) {
        harm("the log is a terminal, or says neither that it is nor that it is not");
    }
}

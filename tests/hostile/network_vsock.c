// expect: plays on
// harm: the player talks to the machine below a virtual one
// Reaches the machine that a virtual machine runs on.
#include "hostile.h"

#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
    refused("vsock", socket(AF_VSOCK, SOCK_DGRAM, 0));
}

// expect: plays on
// harm: the player reaches rarely used code of the kernel
// The kernel's crypto sockets load modules and have often been its way in.
#include "hostile.h"

#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("crypto socket", socket(AF_ALG, SOCK_SEQPACKET, 0));
}

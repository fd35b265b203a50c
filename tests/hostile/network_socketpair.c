// expect: plays on
// A pair of sockets carries descriptors between processes.
#include "hostile.h"

#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int pair[2];
    refused("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    refused("datagram socketpair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
}

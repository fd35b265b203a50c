// expect: plays on
// harm: the player reads, and as root changes, how the machine is connected
// Netlink reads and changes routes, and hears of every device.
#include "hostile.h"

#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    refused("netlink socket", socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, 15));
}

// expect: plays on
// harm: the player sees the network traffic of the machine
// Raw sockets see and forge what other programs send.
#include "hostile.h"

#include <netinet/in.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    refused("raw IPv6 socket", socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6));
    refused("ping socket", socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
}

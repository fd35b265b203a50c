// expect: plays on
// harm: the player talks to the network
// The same over IPv6, which filters of addresses forget.
#include "hostile.h"

#include <netinet/in.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int s = socket(AF_INET6, SOCK_STREAM, 0);
    refused("socket", s);
    struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = htons(9), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0 || errno == ECONNREFUSED) {
        harm("the network answers");
    }
}

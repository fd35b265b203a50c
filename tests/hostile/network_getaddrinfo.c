// expect: plays on
// harm: the player talks to the network
// Looks up a name, which reads files, opens sockets, and must fail without hanging or crashing.
#include "hostile.h"

#include <netdb.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct addrinfo *found = NULL;
    struct addrinfo const hints = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo("localhost", "9", &hints, &found) == 0) {
        int s = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        refused("socket", s);
        freeaddrinfo(found);
    }
}

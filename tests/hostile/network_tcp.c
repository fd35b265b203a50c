// expect: plays on
// harm: the player talks to the network
// Asks a server on this machine, or far away, for its moves.
#include "hostile.h"

#include <netinet/in.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int s = socket(AF_INET, SOCK_STREAM, 0);
    refused("socket", s);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0 || errno == ECONNREFUSED) {
        harm("the network answers");
    }
}

// expect: plays on
// harm: the player sends packets
// One packet is enough to tell a helper outside what the rival played.
#include "hostile.h"

#include <netinet/in.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    refused("sendto", sendto(s, "move", 4, 0, (struct sockaddr *)&to, sizeof to));
}

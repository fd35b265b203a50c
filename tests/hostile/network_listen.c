// expect: plays on
// harm: the player can be reached over the network
// Waits for a helper outside to connect.
#include "hostile.h"

#include <netinet/in.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    refused("bind", bind(s, (struct sockaddr *)&at, sizeof at));
    refused("listen", listen(s, 1));
}

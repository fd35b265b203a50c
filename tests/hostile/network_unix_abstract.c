// expect: plays on
// harm: the player talks to other processes
// Abstract addresses need no file, so no rule about files stops them.
#include "hostile.h"

#include <sys/socket.h>
#include <sys/un.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct sockaddr_un at = {AF_UNIX, "\0amazons-hostile-network_unix_abstract"};
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    refused("bind", bind(s, (struct sockaddr *)&at, sizeof at));
}

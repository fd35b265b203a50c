// expect: plays on
// harm: the player talks to other processes
// Local sockets lead to every service of the machine, and to the rival.
#include "hostile.h"

#include <sys/socket.h>
#include <sys/un.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct sockaddr_un at = {AF_UNIX, "/tmp/amazons-hostile-network_unix"};
    int stream = socket(AF_UNIX, SOCK_STREAM, 0);
    refused("stream socket", stream);
    refused("bind", bind(stream, (struct sockaddr *)&at, sizeof at));
    refused("datagram socket", socket(AF_UNIX, SOCK_DGRAM, 0));
    unlink(at.sun_path);
}

// expect: plays on
// harm: the player opens sockets of all kinds
// Every family of sockets that the kernel knows, or will load a module for.
#include "hostile.h"

#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    for (int family = 0; family < 64; family++) {
        for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
            int s = socket(family, type, 0);
            if (s != -1) {
                harm("opened a socket of family %d, type %d", family, type);
                close(s);
            }
        }
    }
}

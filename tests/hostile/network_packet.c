// expect: plays on
// harm: the player sees the network traffic of the machine
// Packet sockets see every frame on the wire.
#include "hostile.h"

#include <arpa/inet.h>
#include <net/ethernet.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("packet socket", socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
    refused("packet socket", socket(AF_PACKET, SOCK_DGRAM, 0));
}

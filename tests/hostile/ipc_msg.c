// expect: plays on
// harm: players talk to each other, also from game to game
// Message queues that outlive the game.
#include "hostile.h"

#include <sys/msg.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int id = msgget(0x416d0003, IPC_CREAT | 0600);
    refused("msgget", id);
    msgctl(id, IPC_RMID, NULL);
}

// expect: plays on
// harm: players share memory, also from game to game
// Memory that outlives the game and that both players could share.
#include "hostile.h"

#include <sys/shm.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int id = shmget(0x416d0001, 4096, IPC_CREAT | 0600);
    refused("shmget", id);
    shmctl(id, IPC_RMID, NULL);
}

// expect: plays on
// harm: players talk to each other, also from game to game
// Semaphores that outlive the game.
#include "hostile.h"

#include <sys/sem.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int id = semget(0x416d0002, 1, IPC_CREAT | 0600);
    refused("semget", id);
    semctl(id, 0, IPC_RMID);
}

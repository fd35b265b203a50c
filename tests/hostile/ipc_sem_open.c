// expect: plays on
// build: -pthread
// harm: players talk to each other, also from game to game
// Named semaphores: files below /dev/shm.
#include "hostile.h"

#include <semaphore.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    if (sem_open("/amazons-hostile-ipc_sem_open", O_CREAT, 0600, 1) != SEM_FAILED) {
        harm("opened a named semaphore");
        sem_unlink("/amazons-hostile-ipc_sem_open");
    }
}

// expect: plays on
// build: -lrt
// harm: players share memory, also from game to game
// Named memory: a file below /dev/shm.
#include "hostile.h"

#include <sys/mman.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("shm_open", shm_open("/amazons-hostile-ipc_shm_open", O_RDWR | O_CREAT, 0600));
    shm_unlink("/amazons-hostile-ipc_shm_open");
}

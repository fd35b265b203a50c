// expect: plays on
// harm: the player can write to the server's memory
// Who can write to the server's memory decides the game.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    refused("open the server's memory", open(path, O_RDWR));
}

// expect: crash in play, signal SIGSEGV
// harm: a process is left behind that holds the pipes to the server
// A child that holds the pipes would hide from the server that the player has crashed.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    if (fork() == 0) {
        setsid();
        nap(10000);
        _exit(0);
    }
    raise(SIGSEGV);
}

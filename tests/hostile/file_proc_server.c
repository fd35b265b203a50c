// expect: plays on
// harm: the player reads the server's environment and arguments
// The server's environment, arguments and memory hold secrets, the rival's file and the game.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const names[] = {"environ", "cmdline", "maps", "fd", "cwd", "root", "task"};
    char path[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), names[i]);
        refused(path, open(path, O_RDONLY));
    }
}

// expect: plays on
// harm: the player runs any shell command
// Runs a shell: whoever can do that needs no library.
#include "hostile.h"

#include <sys/wait.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int status = system("exit 3");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        harm("a shell ran");
    }
}

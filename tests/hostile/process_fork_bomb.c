// expect: plays on
// harm: processes are left behind until the machine has no more
// Fills the process table; a real bomb would not stop at 20.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int started = 0;
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, 0);
            nap(10000);
            _exit(0);
        }
        started += pid > 0;
    }
    if (started > 0) {
        harm("started %d processes", started);
    }
}

// expect: violation in play
// harm: the player joins the server's namespaces
// Joins the namespaces of another process.
#include "hostile.h"

#include <sched.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)getppid());
    refused("setns", setns(open(path, O_RDONLY), 0));
}

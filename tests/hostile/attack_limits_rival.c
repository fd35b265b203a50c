// expect: plays on
// harm: the rival is killed and loses the game
// A limit of zero seconds kills the rival.
#include "hostile.h"

#include <sys/resource.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct rlimit const none = {0, 0};
    struct rlimit old;
    pid_t target = rival();
    refused("prlimit", prlimit(target, RLIMIT_CPU, &none, NULL));
    refused("reading limits", prlimit(target, RLIMIT_CPU, NULL, &old));
}

// expect: plays on
// Another session or group: out of reach of a kill that is sent to the whole group.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    setsid();
    refused("setpgid", setpgid(0, getppid()));
    refused("setpgid of the server", setpgid(getppid(), 0));
}

// expect: plays on
// harm: the player is root where the server is
// Becomes root again: whatever set its user aside must have thrown away the key.
#include "hostile.h"

#include <grp.h>
#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("setuid", setuid(0));
    refused("seteuid", seteuid(0));
    refused("setresuid", setresuid(0, 0, 0));
    refused("setgid", setgid(0));
    refused("setgroups", setgroups(0, NULL));
    refused("setfsuid", syscall(SYS_setfsuid, 0) == 0 && syscall(SYS_setfsuid, -1) == 0 ? 0 : -1);
    if (geteuid() == 0) {
        harm("the player is root");
    }
}

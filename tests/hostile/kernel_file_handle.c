// expect: plays on
// harm: the player makes handles to files
// A handle opens a file without any path that a rule could be about.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char handle[8 + 128] = {(char)128};
    int mount;
    refused("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, "/", handle, &mount, 0));
}

// expect: violation in play
// Opens a file without any path that a rule could be about.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char handle[8 + 128] = {(char)8, 0, 0, 0, 1};
    refused("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY));
}

// expect: plays on
// harm: the player writes files
// The flags of openat2 lie in memory, where a filter of calls cannot read them.
#include "hostile.h"

enum { OPENAT2 = 437 };

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint64_t how[3] = {O_WRONLY | O_CREAT, 0600, 0};
    char const *path = "/tmp/amazons-hostile-file_openat2";
    refused("openat2", syscall(OPENAT2, AT_FDCWD, path, how, sizeof how));
    unlink(path);
}

// expect: plays on
// harm: the player removes the record and the logs
// Removes the record of a game that it is about to lose.
#include "hostile.h"

#include <sys/stat.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char path[64], target[PATH_MAX];
    for (int fd = 0; fd < 64; fd++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), fd);
        ssize_t len = readlink(path, target, sizeof target - 1);
        target[len < 0 ? 0 : len] = '\0';
        struct stat status;
        /* A rename to its own name does nothing, and needs the same rights as a removal. */
        if (stat(target, &status) == 0 && S_ISREG(status.st_mode)) {
            refused(target, rename(target, target));
        }
    }
    refused("the log", rename("logs/player1.log", "logs/player1.log"));
    refused("a new folder", mkdir("amazons-hostile-file_record", 0700));
    rmdir("amazons-hostile-file_record");
}

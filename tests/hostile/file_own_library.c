// expect: plays on
// harm: the player changes its own file between two games
// Changes its own file: the next game would be played by another player than was entered.
#include "hostile.h"

#include <dlfcn.h>
#include <sys/stat.h>

static char const *own_library(void) {
    Dl_info self;
    return dladdr((void *)on_play, &self) != 0 ? self.dli_fname : "";
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *path = own_library();
    struct stat status;
    refused("open for writing", open(path, O_WRONLY | O_APPEND));
    refused("truncate", stat(path, &status) == 0 ? truncate(path, status.st_size) : -1);
}

// expect: plays on
// harm: the player replaces its own file
// Puts another file in its place: a tournament would go on with a player nobody entered.
#include "hostile.h"

#include <dlfcn.h>

static char const *own_library(void) {
    Dl_info self;
    return dladdr((void *)on_play, &self) != 0 ? self.dli_fname : "";
}

static char copy[1 << 21];

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *fresh = "/tmp/amazons-hostile-file_replace_library";
    int from = open(own_library(), O_RDONLY);
    ssize_t len = read(from, copy, sizeof copy);
    int to = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    if (to != -1 && write(to, copy, len < 0 ? 0 : (size_t)len) != len) {
        unlink(fresh);
    }
    refused("create a file", to);
    refused("rename", rename(fresh, own_library()));
    refused("rename to itself", rename(own_library(), own_library()));
    unlink(fresh);
}

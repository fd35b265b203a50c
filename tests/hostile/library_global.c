// expect: plays on
// Makes its symbols global after the fact, so that what is bound later finds them first.
#include "hostile.h"

#include <dlfcn.h>
#include <poll.h>

int poll(struct pollfd *files, nfds_t count, int timeout) {
    harm("somebody uses the player's poll");
    (void)files, (void)count, (void)timeout;
    return -1;
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    Dl_info self;
    int const flags = RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE;
    if (dladdr((void *)on_play, &self) == 0 || dlopen(self.dli_fname, flags) == NULL) {
        harm("its own library cannot be opened: %s", dlerror());
    }
}

// expect: crash in play, signal SIGSEGV
/* Closes its own library: the code that runs is gone. */
#include "hostile.h"
#include <dlfcn.h>

void on_play(unsigned turn) {
    (void)turn;
    Dl_info about;
    dladdr((void *)(uintptr_t)on_play, &about);
    void *const self = dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    for (int i = 0; i < 8 && self != NULL; i++) {
        dlclose(self);
    }
}

// expect: fault in finalize: crash, signal SIGSEGV
/* Closes its own library in finalize. */
#include "hostile.h"
#include <dlfcn.h>

void on_finalize(void) {
    Dl_info about;
    dladdr((void *)(uintptr_t)on_finalize, &about);
    void *const self = dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    for (int i = 0; i < 8 && self != NULL; i++) {
        dlclose(self);
    }
}

// expect: plays on
// A second C library has streams and an allocator of its own; the server must not mind.
#include "hostile.h"

#include <dlfcn.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    void *same = dlopen("libc.so.6", RTLD_NOW | RTLD_GLOBAL);
    void *other = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    int (*print)(char const *) = other == NULL ? NULL : (int (*)(char const *))(intptr_t)dlsym(other, "puts");
    if (same == NULL) {
        harm("the C library cannot be opened: %s", dlerror());
    }
    if (print != NULL) {
        print("by another C library");
    }
}

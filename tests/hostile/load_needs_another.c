// expect: plays on
/* Opens further libraries while it is loaded, under the loader's lock. */
#include "hostile.h"
#include <dlfcn.h>

void on_load(void) {
    if (dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL) == NULL) {
        harm("libm cannot be opened: %s", dlerror());
    }
    dlopen("libdoes-not-exist.so", RTLD_NOW);
}

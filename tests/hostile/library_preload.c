// expect: plays on
// harm: programs that the player starts load it
// Sets the environment for programs that are started later; the rival's process must not be one.
#include "hostile.h"

#include <dlfcn.h>

void on_load(void) {
    Dl_info self;
    /* A program that is started all the same loads this library, and must not start the next one. */
    if (getenv("LD_PRELOAD") != NULL) {
        return;
    }
    if (dladdr((void *)on_load, &self) != 0) {
        setenv("LD_PRELOAD", self.dli_fname, 1);
        setenv("LD_AUDIT", self.dli_fname, 1);
        setenv("AMAZONS_MOVE_CPU_MS", "1000000", 1);
        setenv("AMAZONS_MOVE_WALL_MS", "1000000", 1);
    }
    refused("LD_PRELOAD for a shell", system("exit 3") == 3 << 8 ? 0 : -1);
}

// expect: crash in play, signal SIGSEGV
/* Unmaps the C library, which the server's code in its process uses too. */
#include "hostile.h"
#include <dlfcn.h>
#include <sys/mman.h>

void on_play(unsigned turn) {
    (void)turn;
    Dl_info about;
    dladdr((void *)(uintptr_t)&malloc, &about);
    munmap(about.dli_fbase, 16 << 20);
    free(malloc(10));
}

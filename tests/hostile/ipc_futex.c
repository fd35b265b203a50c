// expect: plays on
// Two players of the same file could wake each other through a page that both have mapped.
#include "hostile.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static sigjmp_buf back;

static void on_fault(int signal) {
    siglongjmp(back, signal);
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    Dl_info self;
    int file = dladdr((void *)on_play, &self) != 0 ? open(self.dli_fname, O_RDONLY) : -1;
    uint32_t *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) {
        struct timespec const moment = {0, 1000000};
        syscall(SYS_futex, page, FUTEX_WAIT, *page, &moment, NULL, 0);
        syscall(SYS_futex, page, FUTEX_WAKE, 1, NULL, NULL, 0);
        /* The page is shared, and must stay as it is. */
        signal(SIGSEGV, on_fault);
        if (sigsetjmp(back, 1) == 0) {
            *page = 0;
            harm("wrote to its own library");
        }
    }
}

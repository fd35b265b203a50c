// expect: crash in name, signal SIGSEGV
/* Has a name that runs into memory that is not there. */
#include "hostile.h"
#include <sys/mman.h>

void on_name(void) {
    char *const pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'n', 4096);
    mprotect(pages + 4096, 4096, PROT_NONE);
    name_override = pages + 4000;
}

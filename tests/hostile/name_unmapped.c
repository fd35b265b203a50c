// expect: crash in name, signal SIGSEGV
/* Has a name in memory that it has given back to the kernel. */
#include "hostile.h"
#include <sys/mman.h>

void on_name(void) {
    char *const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(page, "gone");
    munmap(page, 4096);
    name_override = page;
}

// expect: plays on
/* Has a name whose last byte is the last one of a page: reading ahead would crash. */
#include "hostile.h"
#include <sys/mman.h>

void on_name(void) {
    char *const pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'n', 4095);
    mprotect(pages + 4096, 4096, PROT_NONE);
    name_override = pages + 4090;
}

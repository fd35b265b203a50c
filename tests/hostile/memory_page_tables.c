// expect: plays on
// Maps as much as it can and reads a byte every 2 MiB: the kernel's tables for that are memory that nobody counts.
#include "hostile.h"
#include <sys/mman.h>

void on_initialize(void) {
    size_t total = 0;
    for (size_t size = (size_t)1 << 40; size >= (size_t)1 << 30; size /= 2) {
        char volatile *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED) {
            total += size;
            madvise((void *)at, size, MADV_NOHUGEPAGE);
            munmap((void *)at, size);
        }
    }
    if (total > (size_t)70 << 30) {
        harm("%zu GiB mapped", total >> 30);
    }
}

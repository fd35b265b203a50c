// expect: plays on
/* Reserves 7 GiB that it never touches, as players with huge tables do: that is allowed. */
#include "hostile.h"
#include <sys/mman.h>

void on_play(unsigned turn) {
    (void)turn;
    size_t const len = (size_t)7 << 30;
    void *const block = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        harm("a reserve was refused: %s", strerror(errno));
    } else {
        munmap(block, len);
    }
}

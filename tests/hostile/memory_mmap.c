// expect: out_of_memory in play
// options: --memory 64M
// once: it takes much memory
// harm: the machine runs out of memory
/* Takes memory from the kernel in one piece and touches all of it. */
#include "hostile.h"
#include <sys/mman.h>

void on_play(unsigned turn) {
    (void)turn;
    size_t const len = (size_t)1 << 30;
    char volatile *block = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t at = 0; block != MAP_FAILED && at < len; at += 4096) {
        block[at] = 1;
    }
    nap(100);
}

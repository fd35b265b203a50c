// expect: plays on
// harm: it keeps hold of the memory that the server reads as its log
// coverage: an instrumented player may open, change and map its profile
/* Maps its log to change it behind the server's back, even after it is judged. */
#include "hostile.h"
#include <sys/mman.h>

void on_play(unsigned turn) {
    (void)turn;
    void *const log = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 2, 0);
    refused("mapping the log", log == MAP_FAILED ? -1 : 0);
}

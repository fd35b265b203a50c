// expect: plays on
// Exports an allocator of its own, which must not become the server's.
#include "hostile.h"

void *malloc(size_t size) {
    (void)size;
    harm("somebody uses the player's malloc");
    return NULL;
}

void free(void *block) {
    (void)block;
    harm("somebody uses the player's free");
}

void exit(int status) {
    harm("somebody uses the player's exit");
    _exit(status);
}

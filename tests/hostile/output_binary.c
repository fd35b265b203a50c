// expect: crash in play, signal SIGABRT
/* Prints every byte there is and crashes: the report must stay text. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    unsigned char all[256];
    for (int i = 0; i < 256; i++) {
        all[i] = (unsigned char)i;
    }
    ssize_t written = write(2, all, sizeof all);
    (void)written;
    abort();
}

// expect: plays on
/* Makes its log huge with a hole, which the server would read when it keeps the log. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    char const byte = 'x';
    refused("writing far beyond the log", pwrite(2, &byte, 1, (off_t)1 << 32));
    refused("growing the log", ftruncate(2, (off_t)1 << 32));
    lseek(2, (off_t)1 << 40, SEEK_SET);
}

// expect: crash in play, signal SIGABRT
// build: -fstack-protector-all
/* Writes beyond an array on the stack. */
#include "hostile.h"

static void copy(char const *text, size_t len) {
    char volatile small[8];
    for (size_t i = 0; i < len; i++) {
        ((char volatile *)small)[i] = text[i];
    }
}

void on_play(unsigned turn) {
    char long_text[256];
    memset(long_text, (int)turn + 'a', sizeof long_text);
    copy(long_text, sizeof long_text);
}

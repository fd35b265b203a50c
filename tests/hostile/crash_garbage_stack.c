// expect: crash in play, signal SIGABRT
/* Crashes with a stack full of addresses that lead nowhere. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    uintptr_t volatile *const frame = __builtin_frame_address(0);
    for (int i = 0; i < 64; i++) {
        frame[i] = (uintptr_t)on_play + (uintptr_t)i * 0x123457;
    }
    abort();
}

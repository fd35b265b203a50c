// expect: violation in play
// harm: the player makes 32-bit system calls
// 32-bit calls have numbers of their own: a filter that looks at numbers only takes one for another.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    harm("getpid by a 32-bit call: %ld", result);
}

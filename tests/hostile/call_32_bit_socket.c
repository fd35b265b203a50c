// expect: violation in play
// harm: the player makes 32-bit system calls
// Opens a socket by a 32-bit call, whose number is harmless in 64 bits.
#include "hostile.h"

#include <sys/mman.h>
#include <sys/socket.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    uint32_t *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) {
        return;
    }
    low[0] = AF_INET;
    low[1] = SOCK_STREAM;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(102L), "b"(1L), "c"(low) : "memory", "r8", "r9", "r10", "r11");
    harm("a socket by a 32-bit call: %ld", result);
}

// expect: violation in play
// harm: the player makes 32-bit system calls
// Jumps into 32-bit code: its system calls are of the other kind, whatever the program was built for.
#include "hostile.h"

#include <sys/mman.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    /* Takes a stack in low memory and makes a far call to the last 8 bytes: mov eax, 20; int 0x80; retf. */
    static unsigned char const code[] = {
        0x48, 0x89, 0x67, 0xf8, 0x48, 0x8d, 0x67, 0xf8, 0x53, 0x55, 0xff, 0x1d, 16,   0, 0, 0,
        0x5d, 0x5b, 0x5c, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xb8, 20,   0,    0,    0, 0xcd, 0x80, 0xcb,
    };
    int const all = PROT_READ | PROT_WRITE | PROT_EXEC;
    char *low = mmap(NULL, 1 << 16, all, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED) {
        return;
    }
    uint32_t const to[2] = {(uint32_t)(uintptr_t)low + 24, 0x23};
    memcpy(low, code, sizeof code);
    memcpy(low + sizeof code, to, sizeof to);
    long (*const far)(char *) = (long (*)(char *))(intptr_t)low;
    harm("getpid by 32-bit code: %ld", far(low + (1 << 15)));
}

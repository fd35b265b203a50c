// expect: plays on
// Looks for the server's frames in its own process and changes what they say.
#include "hostile.h"

/* Frames start by "AmzQ" or "AmzA" and the number of a call. */
static void change(uint32_t *at, uint32_t const *end) {
    for (; at + 8 <= end; at++) {
        if ((*at == 0x517a6d41 || *at == 0x417a6d41) && at[1] >= 2 && at[1] <= 6) {
            memset(at + 1, 0xff, 28);
        }
    }
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    static struct {
        uintptr_t start, end;
    } parts[512];
    size_t count = 0;
    char line[512], rights[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && count < 512 && fgets(line, sizeof line, maps) != NULL) {
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && strcmp(rights, "rw-p") == 0) {
            parts[count].start = start;
            parts[count++].end = end;
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    for (size_t i = 0; i < count; i++) {
        change((uint32_t *)parts[i].start, (uint32_t const *)parts[i].end);
    }
}

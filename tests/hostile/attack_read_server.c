// expect: violation in play
// harm: the player reads the server's memory
// Reads the server's memory.
#include "hostile.h"

#include <sys/uio.h>

/* The first mapping of a process, or an address that none has. */
static void *first_mapping(pid_t pid) {
    char path[64], line[64] = "";
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    int file = open(path, O_RDONLY);
    ssize_t len = read(file, line, sizeof line - 1);
    return len > 0 ? (void *)(uintptr_t)strtoul(line, NULL, 16) : NULL;
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char bytes[16];
    struct iovec here = {bytes, sizeof bytes}, there = {first_mapping(getppid()), sizeof bytes};
    refused("process_vm_readv", process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

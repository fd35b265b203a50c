// expect: violation in play
// harm: the player reads the rival's memory
// Reads what the rival is thinking.
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
    pid_t target = rival();
    struct iovec here = {bytes, sizeof bytes}, there = {first_mapping(target), sizeof bytes};
    refused("process_vm_readv", process_vm_readv(target, &here, 1, &there, 1, 0));
}

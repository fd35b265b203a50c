// expect: violation in play
// harm: the player writes to the rival's memory
// Writes to the rival's memory: any crash after that is the rival's fault.
#include "hostile.h"

#include <sys/uio.h>

/* A byte that a process can write: the lowest of its stack. */
static void *stack_of(pid_t pid) {
    char line[512];
    snprintf(line, sizeof line, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(line, "r");
    unsigned long found = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        found = strstr(line, "[stack]") != NULL ? strtoul(line, NULL, 16) : found;
    }
    return (void *)(uintptr_t)found;
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    pid_t target = rival();
    char byte = 0;
    struct iovec here = {&byte, 1}, there = {stack_of(target), 1};
    refused("process_vm_writev", process_vm_writev(target, &here, 1, &there, 1, 0));
}

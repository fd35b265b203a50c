// expect: violation in initialize
// harm: the player controls the server
// Seizes the server, which goes on as if nothing had happened.
#include "hostile.h"

#include <sys/ptrace.h>

void on_initialize(void) {
    refused("ptrace", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

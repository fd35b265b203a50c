// expect: violation in load
// harm: a signal stops the player instead of ending it
// Who has itself traced by its parent stops at every signal, and hides how it ends.
#include "hostile.h"

#include <sys/ptrace.h>

void on_load(void) {
    refused("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

// expect: violation in play
// harm: the rival is stopped and loses on time
// A tracer reads, writes and stops its victim as it likes.
#include "hostile.h"

#include <sys/ptrace.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("ptrace", ptrace(PTRACE_ATTACH, rival(), NULL, NULL));
}

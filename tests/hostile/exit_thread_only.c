// expect: exit in play, status 0
/* Ends its only thread with the kernel's call, not the process. */
#include "hostile.h"
#include <sys/syscall.h>

void on_play(unsigned turn) {
    (void)turn;
    syscall(SYS_exit, 0);
}

// expect: violation in initialize
// harm: the clocks of the rival and of others run in steps of a timer tick
// Arms timers on the clocks of the processes around it, which makes those run in steps.
#include "hostile.h"

void on_initialize(void) {
    for (int distance = -20; distance <= 20; distance++) {
        pid_t const pid = getpid() + distance;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
        struct itimerspec const never = {.it_value = {100000, 0}};
        timer_t timer;
        if (pid > 1 && distance != 0 && timer_create((clockid_t)((~(unsigned)pid << 3) | 2), &event, &timer) == 0) {
            timer_settime(timer, 0, &never, NULL);
            harm("a timer on the clock of %d", (int)pid);
        }
    }
}

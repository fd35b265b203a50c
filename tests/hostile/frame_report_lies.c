// expect: crash in play, signal SIGKILL
/* Reports another end than the one that it takes: only the kernel's word may count. */
#include "shared.h"

void on_play(unsigned turn) {
    (void)turn;
    struct report_t const report = {{'A', 'm', 'z', 'C'}, SIGSYS, 1, {0}, 0, 0, {0}};
    tell(&report, sizeof report);
    raise(SIGKILL);
}

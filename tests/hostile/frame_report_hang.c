// expect: timeout in play
// options: --move-time 150ms
/* Reports its end and lives on without an answer. */
#include "shared.h"

void on_play(unsigned turn) {
    (void)turn;
    struct report_t const report = {{'A', 'm', 'z', 'C'}, SIGSEGV, 1, {0}, 0, 0, {0}};
    tell(&report, sizeof report);
    for (;;) {
        pause();
    }
}

// expect: protocol_error in play
/* Reports its end again and again and lives. */
#include "shared.h"

void on_play(unsigned turn) {
    (void)turn;
    struct report_t const report = {{'A', 'm', 'z', 'C'}, SIGSEGV, 1, {0}, 0, 0, {0}};
    tell(&report, sizeof report);
    tell(&report, sizeof report);
}

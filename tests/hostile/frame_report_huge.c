// expect: protocol_error in play
/* Reports an end with more frames than there can be. */
#include "shared.h"

void on_play(unsigned turn) {
    (void)turn;
    struct report_t report = {{'A', 'm', 'z', 'C'}, SIGSEGV, 1, {0}, UINT_MAX, UINT_MAX, {0}};
    memset(report.rest, 0xff, sizeof report.rest);
    tell(&report, sizeof report);
    abort();
}

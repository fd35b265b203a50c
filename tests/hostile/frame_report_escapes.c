// expect: crash in play, signal SIGKILL
/* Reports an end in libraries whose names would spoil a terminal, at addresses that are nowhere. */
#include "shared.h"

void on_play(unsigned turn) {
    (void)turn;
    struct report_t report = {{'A', 'm', 'z', 'C'}, SIGKILL, 1, {0}, 32, 24, {0}};
    for (size_t at = 0; at < sizeof report.rest; at += 12) {
        memcpy(report.rest + at, "\1\0\0\0\033[2J\r\n\xff\xff", 12);
    }
    tell(&report, sizeof report);
    raise(SIGKILL);
}

// expect: timeout in play
// options: --move-time 150ms
/* Reports its end and lives on without an answer. */
#include "hostile.h"

/* See src/host/report.rs: what a crashing process says of its end. */
struct report_t {
    char magic[4];
    uint32_t signal, code, words[4], frames, modules;
    char rest[2012];
};

void on_play(unsigned turn) {
    (void)turn;
    struct report_t const report = {{'A', 'm', 'z', 'C'}, SIGSEGV, 1, {0}, 0, 0, {0}};
    tell(&report, sizeof report);
    for (;;) {
        pause();
    }
}

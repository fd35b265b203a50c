// expect: crash in play, signal SIGKILL
/* Reports another end than the one that it takes: only the kernel's word may count. */
#include "hostile.h"

/* See src/host/report.rs: what a crashing process says of its end. */
struct report_t {
    char magic[4];
    uint32_t signal, code, words[4], frames, modules;
    char rest[2012];
};

void on_play(unsigned turn) {
    (void)turn;
    struct report_t const report = {{'A', 'm', 'z', 'C'}, SIGSYS, 1, {0}, 0, 0, {0}};
    tell(&report, sizeof report);
    raise(SIGKILL);
}

// expect: protocol_error in play
/* Reports an end with more frames than there can be. */
#include "hostile.h"

/* See src/host/report.rs: what a crashing process says of its end. */
struct report_t {
    char magic[4];
    uint32_t signal, code, words[4], frames, modules;
    char rest[2012];
};

void on_play(unsigned turn) {
    (void)turn;
    struct report_t report = {{'A', 'm', 'z', 'C'}, SIGSEGV, 1, {0}, UINT_MAX, UINT_MAX, {0}};
    memset(report.rest, 0xff, sizeof report.rest);
    tell(&report, sizeof report);
    abort();
}

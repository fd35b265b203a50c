// expect: plays on
// Watches the same events from every set and under every number, and sets of sets of them, and wakes them all.
#include "watchers.h"

#include <sys/eventfd.h>

void on_play(unsigned turn) {
    if (turn == 0) {
        int events[EACH];
        for (int i = 0; i < EACH; i++) {
            events[i] = eventfd(0, EFD_NONBLOCK);
        }
        watch_all(events);
        /* Sets in sets, in a circle, too. */
        for (int i = 0; i < EACH; i++) {
            watch(sets[i], sets[(i + 1) % EACH]);
        }
    }
    uint64_t const one = 1;
    for (int i = 0; i < EACH; i++) {
        ssize_t written = write(watched[i], &one, sizeof one);
        (void)written;
    }
}

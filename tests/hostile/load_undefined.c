// expect: exit in play, status 127
// build: -Wl,-z,lazy
/* Calls a function that nobody defines: the dynamic loader ends the process. */
#include "hostile.h"

void defined_nowhere(void);

void on_play(unsigned turn) {
    (void)turn;
    defined_nowhere();
}

// expect: exit in play, status 3
/* Ends its process in play. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    exit(3);
}

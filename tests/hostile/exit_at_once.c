// expect: exit in play, status 0
/* Ends its process without any clean-up. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    _exit(0);
}

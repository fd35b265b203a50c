// expect: exit in play, status 4
/* Ends its process by quick_exit. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    quick_exit(4);
}

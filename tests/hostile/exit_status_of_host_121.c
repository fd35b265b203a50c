// expect: protocol_error in play, status 121
/* Ends with the status by which the process around it says that the pipes are damaged. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    _exit(121);
}

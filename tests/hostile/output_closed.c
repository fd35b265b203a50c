// expect: plays on
/* Closes the standard streams: the server's own files must not take their numbers. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    close(0);
    close(1);
    close(2);
    printf("lost\n");
}

// expect: timeout in initialize
// options: --init-time 150ms
/* Sleeps in initialize. */
#include "hostile.h"

void on_initialize(void) {
    for (;;) {
        pause();
    }
}

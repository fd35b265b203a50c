// expect: fault in finalize: timeout
// options: --finalize-time 150ms
/* Sleeps in finalize. */
#include "hostile.h"

void on_finalize(void) {
    for (;;) {
        pause();
    }
}

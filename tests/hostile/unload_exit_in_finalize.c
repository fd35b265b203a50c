// expect: fault in finalize: timeout
// options: --finalize-time 150ms
/* Ends its process in finalize and hangs in the destructor. */
#include "hostile.h"

void on_finalize(void) {
    exit(0);
}

void on_unload(void) {
    for (;;) {
        pause();
    }
}

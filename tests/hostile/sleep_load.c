// expect: timeout in load
// options: --load-time 300ms
/* Sleeps in a constructor: no processor time is used, and its limit must end all the same. */
#include "hostile.h"

void on_load(void) {
    for (;;) {
        pause();
    }
}

// expect: timeout in load
// options: --load-time 300ms
/* Computes without end in a constructor. */
#include "hostile.h"

void on_load(void) {
    for (unsigned volatile i = 0;; i++) {
    }
}

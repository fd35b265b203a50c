// expect: timeout in load
// options: --load-time 300ms
/* Stops itself while it is loaded. */
#include "hostile.h"

void on_load(void) {
    raise(SIGSTOP);
}

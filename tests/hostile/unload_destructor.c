// expect: plays on
/* Has a destructor that never ends: the process must end without it. */
#include "hostile.h"

void on_unload(void) {
    for (;;) {
        pause();
    }
}

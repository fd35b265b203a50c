// expect: exit in initialize, status 3
/* Ends its process in initialize. */
#include "hostile.h"

void on_initialize(void) {
    exit(3);
}

// expect: exit in load, status 3
/* Ends its process in a constructor. */
#include "hostile.h"

void on_load(void) {
    exit(3);
}

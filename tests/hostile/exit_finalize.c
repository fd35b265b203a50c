// expect: fault in finalize: exit, status 3
/* Ends its process in finalize, when it has lost nothing any more. */
#include "hostile.h"

void on_finalize(void) {
    exit(3);
}

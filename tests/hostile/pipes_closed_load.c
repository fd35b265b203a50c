// expect: protocol_error in load
/* Closes every descriptor in a constructor. */
#include "hostile.h"

void on_load(void) {
    for (int fd = 0; fd < 1024; fd++) {
        close(fd);
    }
}

// expect: plays on
/* Has a name of a megabyte. */
#include "hostile.h"

void on_name(void) {
    static char name[1 << 20];
    memset(name, 'n', sizeof name - 1);
    name_override = name;
}

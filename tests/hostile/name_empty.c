// expect: plays on
/* Has an empty name. */
#include "hostile.h"

void on_name(void) {
    name_override = "";
}

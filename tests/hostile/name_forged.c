// expect: plays on
/* Has a name that looks like events and results. */
#include "hostile.h"

void on_name(void) {
    name_override = "\"},{\"event\":\"end\",\"winner\":1}\n player 1 wins";
}

// expect: plays on
/* Has a name in a block that it has freed. */
#include "hostile.h"

void on_name(void) {
    char *volatile block = strdup("a name that was freed");
    uintptr_t volatile address = (uintptr_t)block;
    free(block);
    name_override = (char const *)address;
}

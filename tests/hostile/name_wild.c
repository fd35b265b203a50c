// expect: crash in name, signal SIGSEGV
/* Has a name at an address that no process can have. */
#include "hostile.h"

void on_name(void) {
    name_override = (char const *)(uintptr_t)0xdead000000000000;
}

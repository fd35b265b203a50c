// expect: plays on
// since glibc 2.41: load error in load
// build: -Wl,-z,execstack
/* Wants an executable stack, which makes injected code easy: it is its own process. */
#include "hostile.h"

void on_load(void) {}

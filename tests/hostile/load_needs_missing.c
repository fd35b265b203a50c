// expect: load_error in load
/* Misses one of the four functions. */
#define HOSTILE_OWN_NAME
#include "hostile.h"

void on_name(void) {}

// expect: plays on
/* Has no name. */
#define HOSTILE_OWN_NAME
#include "hostile.h"

char const *get_player_name(void) { return NULL; }

// expect: crash in name, signal SIGSEGV
/* Exports data where a function is expected. */
#define HOSTILE_OWN_NAME
#define get_player_name declared_name
#include "hostile.h"
#undef get_player_name

char const get_player_name[64] = "not a function";

void on_load(void) {}

// expect: crash in name, signal SIGSEGV
/* Tells the dynamic loader to use an address without code as a function. */
#define HOSTILE_OWN_NAME
#include "hostile.h"

typedef char const *name_fn(void);

static name_fn *resolve(void) {
    return (name_fn *)(uintptr_t)0x123456789000;
}

__attribute__((ifunc("resolve"))) char const *get_player_name(void);

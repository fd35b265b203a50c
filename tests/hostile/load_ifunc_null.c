// expect: load_error in load
/* Tells the dynamic loader to use NULL as a function. */
#define HOSTILE_OWN_NAME
#include "hostile.h"

typedef char const *name_fn(void);

static name_fn *resolve(void) {
    return NULL;
}

__attribute__((ifunc("resolve"))) char const *get_player_name(void);

// expect: timeout in load
// options: --load-time 300ms
/* Hangs while the dynamic loader asks it which function to use. */
#define HOSTILE_OWN_NAME
#include "hostile.h"

typedef char const *name_fn(void);

static name_fn *resolve(void) {
    for (;;) {
    }
    return NULL;
}

__attribute__((ifunc("resolve"))) char const *get_player_name(void);

// expect: plays on
// build: -nostartfiles
// Exports what the dynamic loader looks for, and the server's own entry points.
#include "hostile.h"

int main(void) {
    harm("the player's main runs");
    return 0;
}

void _start(void) {
    harm("the player's _start runs");
}

void *__libc_start_main(void) {
    harm("the player's __libc_start_main runs");
    return NULL;
}

unsigned la_version(unsigned version) {
    harm("the loader takes the player for an auditor");
    return version;
}

void rust_eh_personality(void) {
    harm("the player's rust_eh_personality runs");
}

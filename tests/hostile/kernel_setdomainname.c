// expect: violation in play
// harm: the player renames the machine
// Names the machine's domain, as it is named already.
#include "hostile.h"

#include <sys/utsname.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    struct utsname names;
    uname(&names);
    refused("setdomainname", setdomainname(names.domainname, strlen(names.domainname)));
}

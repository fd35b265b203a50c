// expect: violation in name
// harm: the player renames the machine
// Names the machine, as it is named already.
#include "hostile.h"

#include <sys/utsname.h>

void on_name(void) {
    struct utsname names;
    uname(&names);
    refused("sethostname", sethostname(names.nodename, strlen(names.nodename)));
}

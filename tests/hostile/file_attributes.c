// expect: plays on
// harm: the player changes who may use its file
// Rights, owner, times and attributes of its own file, set to what they are already.
#include "hostile.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static char const *own_library(void) {
    Dl_info self;
    return dladdr((void *)on_play, &self) != 0 ? self.dli_fname : "";
}

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *path = own_library();
    struct stat present;
    if (stat(path, &present) != 0) {
        return;
    }
    struct timespec const times[2] = {present.st_atim, present.st_mtim};
    refused("chmod", chmod(path, present.st_mode & 07777));
    refused("chown", chown(path, present.st_uid, present.st_gid));
    refused("utimensat", utimensat(AT_FDCWD, path, times, 0));
    refused("setxattr", setxattr(path, "user.amazons-hostile", "", 0, XATTR_REPLACE));
    refused("fchmod of the log", fchmod(STDERR_FILENO, 0600));
}

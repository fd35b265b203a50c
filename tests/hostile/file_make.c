// expect: plays on
// harm: the player makes folders, links and devices
// Folders, links and special files in places that others use.
#include "hostile.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *path = "/tmp/amazons-hostile-file_make";
    refused("mkdir", mkdir(path, 0700));
    rmdir(path);
    refused("symlink", symlink("/etc/passwd", path));
    unlink(path);
    refused("mkfifo", mkfifo(path, 0600));
    unlink(path);
    refused("mknod of a device", mknod(path, S_IFCHR | 0600, makedev(1, 1)));
    unlink(path);
    refused("link", link("/proc/self/exe", path));
    refused("link by descriptor", linkat(STDERR_FILENO, "", AT_FDCWD, path, AT_EMPTY_PATH));
    unlink(path);
}

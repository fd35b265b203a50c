// expect: plays on
// What careless code does must be refused by an error, and the game must go on.
#include "hostile.h"

#include <locale.h>
#include <pwd.h>
#include <sys/stat.h>
#include <syslog.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    FILE *debug = fopen("amazons-hostile-call_careless.txt", "a");
    refused("a debug file", debug == NULL ? -1 : fileno(debug));
    refused("a cache", mkdir("/tmp/amazons-hostile-call_careless", 0755));
    rmdir("/tmp/amazons-hostile-call_careless");
    unlink("amazons-hostile-call_careless.txt");
    openlog("amazons-hostile", LOG_NDELAY, LOG_USER);
    closelog();
    setlocale(LC_ALL, "");
    getpwuid(getuid());
    getlogin();
    ttyname(STDERR_FILENO);
    if (system("exit 3") == 3 << 8) {
        harm("a shell ran");
    }
    sleep(0);
}

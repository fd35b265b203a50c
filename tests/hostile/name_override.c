// expect: plays on
/* Has a name that turns the direction of writing, and blanks that nobody sees. */
#include "hostile.h"

void on_name(void) {
    name_override = "\xe2\x80\xae" "evil\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8" "winner";
}

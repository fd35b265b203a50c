"""What all tests need."""

import signal
import time

# A shell starts programs in the background with Ctrl-C ignored: a test of it would wait forever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_until(what, is_so):
    """Waits for what must happen, on a busy machine, too."""
    given_up = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < given_up, f"waited in vain: {what}"
        time.sleep(0.005)

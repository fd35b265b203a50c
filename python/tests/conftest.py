"""What all tests need."""

import signal

# A shell starts programs in the background with Ctrl-C ignored: a test of it would wait forever.
signal.signal(signal.SIGINT, signal.default_int_handler)

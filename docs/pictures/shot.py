"""Takes a picture of a page in Chromium: shot.py FILE light|dark WIDTH HEIGHT ADDRESS READY [ACTION].

READY is an expression that is true when the page is there to be looked at; ACTION is run before it.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time

file, scheme, width, height, address, ready = sys.argv[1:7]
action = sys.argv[7] if len(sys.argv) > 7 else "0"
to_read, to_write = os.pipe()
from_read, from_write = os.pipe()
# Chromium talks to whoever started it by the descriptors 3 and 4.
script = f'exec chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe "$@" 3<&{to_read} 4>&{from_write}'
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    command = ["bash", "-c", script, "chromium", f"--user-data-dir={profile}", "about:blank"]
    browser = subprocess.Popen(command, pass_fds=[to_read, from_write], stderr=subprocess.DEVNULL)
    answers, session, count = os.fdopen(from_read, "rb"), None, 0

    def call(method, **parameters):
        global count
        count += 1
        message = {"id": count, "method": method, "params": parameters}
        os.write(to_write, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            text = b""
            while not text.endswith(b"\0"):
                text += answers.read(1)
            answer = json.loads(text[:-1])
            if answer.get("id") == count:
                return answer.get("result", {})

    def value(expression):
        return call("Runtime.evaluate", expression=expression, awaitPromise=True).get("result", {}).get("value")

    target = call("Target.createTarget", url="about:blank")["targetId"]
    session = call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    call("Emulation.setDeviceMetricsOverride", width=int(width), height=int(height), deviceScaleFactor=1, mobile=False)
    call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    call("Page.navigate", url=address)
    for wanted in (f"document.readyState === 'complete' && location.href !== 'about:blank' && ({action}, true)", ready):
        end = time.monotonic() + 60
        while not value(f"Boolean({wanted})"):
            assert time.monotonic() < end, f"{address}: never {wanted}"
            time.sleep(0.1)
    time.sleep(0.5)
    with open(file, "wb") as out:
        out.write(base64.b64decode(call("Page.captureScreenshot")["data"]))
    browser.kill()
    browser.wait()

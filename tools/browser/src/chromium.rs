//! Chromium, driven through pipes by its DevTools protocol.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::mem;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use amazons_testing::wait_or_tell;
use serde_json::{Value, json};

/// Runs the browser with its pipes, and cleans up when it ends: when the pipes are closed, at the latest with this
/// process.
const SCRIPT: &str = r#"
profile=$(mktemp -d) || exit 1
export HOME="$profile"
"$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions \
    --disable-background-networking --user-data-dir="$profile" --remote-debugging-pipe "$1" \
    3<&0 4>&1 </dev/null >/dev/null
rm -rf "$profile"
"#;

/// The page that a browser starts with; it ends with its last page, so this one stays.
const KEPT: &str = "about:blank#kept";

/// A running Chromium.
#[derive(Debug)]
struct Chromium {
    _shell: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    number: u64,
}

/// Browsers not in use: starting one takes longer than most tests.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

impl Chromium {
    fn start() -> Option<Self> {
        let name = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
            let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            found.is_ok_and(|status| status.success())
        })?;
        let mut shell = Command::new("sh")
            .args(["-c", SCRIPT, name, KEPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let (to, from) = (shell.stdin.take().expect("a pipe"), BufReader::new(shell.stdout.take().expect("a pipe")));
        Some(Self { _shell: shell, to, from, number: 0 })
    }
}

/// A page in a browser, or several in tabs, which share nothing with other tests' pages.
///
/// Every call panics when the browser fails.
#[derive(Debug)]
pub struct Browser {
    /// Always set until dropped.
    chromium: Option<Chromium>,
    /// Where pages were opened, which may have kept something there.
    origins: BTreeSet<String>,
    session: Option<String>,
    /// The target and the session of each tab.
    tabs: Vec<[String; 2]>,
    /// The pages' console messages, and violations of their policy.
    pub complaints: Vec<String>,
}

impl Browser {
    /// Opens a page in Chromium; if Chromium is missing, notes that.
    #[must_use]
    pub fn start() -> Option<Self> {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(chromium) = idle.or_else(Chromium::start) else {
            amazons_testing::skip("chromium is missing, so pages were not tested (Debian: apt-get install chromium)");
            return None;
        };
        let mut browser = Self {
            chromium: Some(chromium),
            origins: BTreeSet::new(),
            session: None,
            tabs: Vec::new(),
            complaints: Vec::new(),
        };
        browser.tab(false);
        Some(browser)
    }

    /// Opens another tab, or a window beside the others, and continues there; returns its number, from 0.
    pub fn tab(&mut self, is_window: bool) -> usize {
        self.session = None;
        let mut page = json!({ "url": "about:blank" });
        if is_window {
            page["newWindow"] = true.into();
        }
        let target = self.call("Target.createTarget", &page)["targetId"].as_str().expect("a target").to_owned();
        let attached = self.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        self.session = Some(session.clone());
        self.tabs.push([target, session]);
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), &json!({}));
        }
        self.size(1200, 900);
        self.tabs.len() - 1
    }

    /// Brings a tab to the front, and continues there.
    pub fn select(&mut self, tab: usize) {
        self.session = None;
        let [target, session] = self.tabs[tab].clone();
        self.call("Target.activateTarget", &json!({ "targetId": target }));
        self.session = Some(session);
    }

    /// Continues in a tab without bringing it to the front.
    pub fn look_at(&mut self, tab: usize) {
        self.session = Some(self.tabs[tab][1].clone());
    }

    /// Sends a request and waits for the answer.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_call(&mut self, method: &str, parameters: &Value) -> Result<Value, Value> {
        let chromium = self.chromium.as_mut().expect("it is there until it is dropped");
        chromium.number += 1;
        let number = chromium.number;
        let mut message = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        chromium.to.write_all(format!("{message}\0").as_bytes()).expect("the browser runs");
        loop {
            let mut answer = Vec::new();
            chromium.from.read_until(0, &mut answer).expect("the browser runs");
            assert!(answer.pop() == Some(0), "{method}: the browser has ended");
            let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
            if answer["id"] == number {
                let error = answer["error"].take();
                return if error.is_null() { Ok(answer["result"].take()) } else { Err(error) };
            }
            // An earlier page may still have sent something.
            if answer["sessionId"].as_str() == self.session.as_deref() {
                self.complaints.extend(complaint(&answer));
            }
        }
    }

    /// Evaluates an expression in the page, which may be a promise.
    pub fn eval(&mut self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`Self::eval`], but the page may go away meanwhile, or not have what the expression needs yet.
    fn try_eval(&mut self, expression: &str) -> Result<Value, Value> {
        let wanted = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.try_call("Runtime.evaluate", &wanted)?;
        if answer["exceptionDetails"].is_null() {
            return Ok(answer["result"]["value"].take());
        }
        Err(json!(format!("{expression}: {answer}")))
    }

    /// Evaluates an expression by which the page is left or loaded again, and waits for the next one.
    ///
    /// A page that is on its way out may not answer, so the expression must not be evaluated by [`Self::eval`].
    pub fn leave(&mut self, expression: &str) {
        let before = self.eval("performance.timeOrigin");
        let _ = self.try_eval(expression);
        self.wait(&format!("performance.timeOrigin !== {before} && document.readyState === 'complete'"));
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let (page, condition) = (RefCell::new(self), format!("Boolean({expression})"));
        let is_true = || page.borrow_mut().try_eval(&condition) == Ok(Value::Bool(true));
        let tell = || {
            let seen = page.borrow_mut().try_eval("document.body.innerText");
            format!("{expression}; {:?}; {seen:?}", page.borrow().complaints)
        };
        wait_or_tell(|| is_true().then_some(()), tell);
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        // The same page with another `#ply=` would only be scrolled.
        self.call("Page.navigate", &json!({ "url": "about:blank" }));
        self.call("Page.navigate", &json!({ "url": address }));
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
        let origin = self.eval("origin");
        self.origins.extend(origin.as_str().map(str::to_owned));
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        let codes = [
            ("ArrowLeft", 37),
            ("ArrowUp", 38),
            ("ArrowDown", 40),
            ("Enter", 13),
            ("Escape", 27),
            ("ArrowRight", 39),
            ("Home", 36),
            ("End", 35),
            (" ", 32),
            ("Tab", 9),
        ];
        let code = codes.into_iter().find(|(name, _)| *name == key).map_or(0, |(_, code)| code);
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Sets the size of the window; below 500 pixels it is a phone's.
    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Sets a preference such as `prefers-color-scheme`.
    pub fn prefer(&mut self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.call("Emulation.setEmulatedMedia", &features);
    }

    /// Takes a screenshot, as PNG in base 64.
    pub fn picture(&mut self) -> String {
        self.call("Page.captureScreenshot", &json!({ "format": "png" }))["data"].as_str().expect("a picture").to_owned()
    }
}

impl Browser {
    /// Leaves nothing of its pages. A profile for each test would do that, too, but takes three times as long as a tab.
    fn forget(&mut self) {
        self.look_at(0);
        for origin in mem::take(&mut self.origins) {
            self.call("Storage.clearDataForOrigin", &json!({ "origin": origin, "storageTypes": "all" }));
        }
        self.session = None;
        let found = self.call("Target.getTargets", &json!({}));
        let pages = found["targetInfos"].as_array().expect("targets").iter().filter(|target| target["type"] == "page");
        for page in pages.filter(|page| page["url"] != KEPT) {
            self.call("Target.closeTarget", &json!({ "targetId": page["targetId"] }));
        }
        self.call("Storage.clearCookies", &json!({}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            // Its state is unknown: without its pipes it ends.
            return;
        }
        self.forget();
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.chromium.take());
    }
}

fn complaint(event: &Value) -> Option<String> {
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(event["params"]["exceptionDetails"].to_string()),
        "Log.entryAdded" if event["params"]["entry"]["level"] == "error" => Some(event["params"]["entry"].to_string()),
        _ => None,
    }
}

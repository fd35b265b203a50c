//! The pages in a real browser.

mod chromium;
mod pages;
mod play;
mod speed;

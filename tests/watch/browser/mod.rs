//! The pages in a real browser.

mod chromium;
mod events;
mod pages;
mod play;
mod speed;

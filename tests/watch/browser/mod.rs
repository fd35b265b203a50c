//! The pages in a real browser.

mod axe;
mod chromium;
mod events;
mod pages;
mod play;
mod speed;

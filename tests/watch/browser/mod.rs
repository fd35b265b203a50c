//! The pages in a real browser.

mod axe;
mod events;
mod pages;
mod play;
mod speed;

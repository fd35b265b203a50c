//! The pages in a real browser.

mod analysis;
mod axe;
mod events;
mod explore;
mod moments;
mod pages;
mod play;
mod speed;
mod tabs;

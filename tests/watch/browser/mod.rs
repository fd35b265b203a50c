//! The pages in a real browser.

mod analysis;
mod axe;
mod editor;
mod events;
mod explore;
mod home;
mod moments;
mod pages;
mod play;
mod speed;
mod tabs;

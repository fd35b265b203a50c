/// The look of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The longer side of a picture in pixels.
    pub size: u32,
    /// How long each move of an animation is shown, in milliseconds.
    pub delay_ms: u32,
    /// The shading of free vertices.
    pub shading: Shading,
}

/// The shading of free vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Nothing.
    #[default]
    None,
    /// By the side whose queens are nearer in queen moves.
    Territory,
}

impl Default for Look {
    fn default() -> Self {
        Self { size: 600, delay_ms: 700, shading: Shading::None }
    }
}

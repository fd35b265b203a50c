/// The meaning of a shape, which determines its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ink {
    /// The background.
    Page,
    /// A light square.
    Light,
    /// A dark square.
    Dark,
    /// A free square nearer to Black.
    BlackLand,
    /// A free square nearer to White.
    WhiteLand,
    /// Letters and numbers at the border.
    Label,
    /// The stand of Black's queens.
    BlackQueen,
    /// The crown of Black's queens.
    BlackCrown,
    /// The stand of White's queens.
    WhiteQueen,
    /// The crown of White's queens.
    WhiteCrown,
    /// A burnt square.
    Arrow,
    /// The cross on it.
    ArrowCross,
    /// The path of the last move.
    Way,
}

impl Ink {
    /// Every ink.
    pub(crate) const ALL: [Self; 13] = [
        Self::Page,
        Self::Light,
        Self::Dark,
        Self::BlackLand,
        Self::WhiteLand,
        Self::Label,
        Self::BlackQueen,
        Self::BlackCrown,
        Self::WhiteQueen,
        Self::WhiteCrown,
        Self::Arrow,
        Self::ArrowCross,
        Self::Way,
    ];

    /// Returns the name of its class in SVG, and its colours in light and dark mode.
    pub(crate) const fn look(self) -> (&'static str, [u8; 3], [u8; 3]) {
        match self {
            Self::Page => ("page", [0xff, 0xff, 0xff], [0x16, 0x18, 0x1c]),
            Self::Light => ("light", [0xf3, 0xe4, 0xc6], [0x6d, 0x63, 0x52]),
            Self::Dark => ("dark", [0xe2, 0xc9, 0x9c], [0x55, 0x4c, 0x3e]),
            Self::BlackLand => ("black-land", [0x9f, 0xb8, 0xd8], [0x3c, 0x55, 0x79]),
            Self::WhiteLand => ("white-land", [0xf6, 0xc2, 0xb0], [0x86, 0x51, 0x43]),
            Self::Label => ("label", [0x44, 0x44, 0x44], [0xc8, 0xc8, 0xc8]),
            Self::BlackQueen => ("black-queen", [0x1d, 0x1d, 0x22], [0x0c, 0x0c, 0x10]),
            Self::BlackCrown => ("black-crown", [0xff, 0xff, 0xf6], [0xf4, 0xf1, 0xe6]),
            Self::WhiteQueen => ("white-queen", [0xff, 0xff, 0xf6], [0xf4, 0xf1, 0xe6]),
            Self::WhiteCrown => ("white-crown", [0x1d, 0x1d, 0x22], [0x0c, 0x0c, 0x10]),
            Self::Arrow => ("arrow", [0x8a, 0x4b, 0x2a], [0x2a, 0x16, 0x0d]),
            Self::ArrowCross => ("arrow-cross", [0xf7, 0xe3, 0xc8], [0xd9, 0xa4, 0x7a]),
            Self::Way => ("way", [0x1f, 0x6f, 0xb2], [0x7c, 0xc0, 0xff]),
        }
    }
}

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rectangle([f32; 4]),
    /// A filled disc: centre and radius.
    Disc([f32; 3]),
    /// A filled polygon.
    Polygon(Vec<[f32; 2]>),
    /// A line with round ends, and its width.
    Line(Vec<[f32; 2]>, f32),
    /// A word, centred on a point; drawn as lines where there are no fonts.
    Word([f32; 2], String),
}

/// What a shape stands for, which decides its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ink {
    /// Behind everything.
    Page,
    /// A light square.
    Light,
    /// A dark square.
    Dark,
    /// A free square that Black is nearer to.
    BlackLand,
    /// A free square that White is nearer to.
    WhiteLand,
    /// Letters and numbers at the border.
    Label,
    /// What Black's queens stand on.
    BlackQueen,
    /// The crown of Black's queens.
    BlackCrown,
    /// What White's queens stand on.
    WhiteQueen,
    /// The crown of White's queens.
    WhiteCrown,
    /// What an arrow burnt.
    Arrow,
    /// The cross on it.
    ArrowCross,
    /// The way of the last move.
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

    /// Returns the name of its class in SVG.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::BlackLand => "black-land",
            Self::WhiteLand => "white-land",
            Self::Label => "label",
            Self::BlackQueen => "black-queen",
            Self::BlackCrown => "black-crown",
            Self::WhiteQueen => "white-queen",
            Self::WhiteCrown => "white-crown",
            Self::Arrow => "arrow",
            Self::ArrowCross => "arrow-cross",
            Self::Way => "way",
        }
    }

    /// Returns red, green and blue by day.
    pub(crate) const fn day(self) -> [u8; 3] {
        match self {
            Self::Page => [0xff, 0xff, 0xff],
            Self::Light => [0xf3, 0xe4, 0xc6],
            Self::Dark => [0xe2, 0xc9, 0x9c],
            Self::BlackLand => [0x9f, 0xb8, 0xd8],
            Self::WhiteLand => [0xf6, 0xc2, 0xb0],
            Self::Label => [0x44, 0x44, 0x44],
            Self::BlackQueen | Self::WhiteCrown => [0x1d, 0x1d, 0x22],
            Self::BlackCrown | Self::WhiteQueen => [0xff, 0xff, 0xf6],
            Self::Arrow => [0x8a, 0x4b, 0x2a],
            Self::ArrowCross => [0xf7, 0xe3, 0xc8],
            Self::Way => [0x1f, 0x6f, 0xb2],
        }
    }

    /// Returns red, green and blue by night.
    pub(crate) const fn night(self) -> [u8; 3] {
        match self {
            Self::Page => [0x16, 0x18, 0x1c],
            Self::Light => [0x6d, 0x63, 0x52],
            Self::Dark => [0x55, 0x4c, 0x3e],
            Self::BlackLand => [0x3c, 0x55, 0x79],
            Self::WhiteLand => [0x86, 0x51, 0x43],
            Self::Label => [0xc8, 0xc8, 0xc8],
            Self::BlackQueen | Self::WhiteCrown => [0x0c, 0x0c, 0x10],
            Self::BlackCrown | Self::WhiteQueen => [0xf4, 0xf1, 0xe6],
            Self::Arrow => [0x2a, 0x16, 0x0d],
            Self::ArrowCross => [0xd9, 0xa4, 0x7a],
            Self::Way => [0x7c, 0xc0, 0xff],
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
    /// A line of a width, with round ends.
    Line(Vec<[f32; 2]>, f32),
    /// A word, centred on a point; as lines where there are no fonts.
    Word([f32; 2], String),
}

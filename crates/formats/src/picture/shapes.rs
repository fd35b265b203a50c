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
    /// Where its queen stood, and where it stands.
    Tint,
    /// Names and words.
    Text,
}

impl Ink {
    /// Every ink.
    pub(crate) const ALL: [Self; 15] = [
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
        Self::Tint,
        Self::Text,
    ];

    /// Returns the name of its class in SVG, and its colours in light and dark mode.
    pub(crate) const fn look(self) -> (&'static str, [u8; 3], [u8; 3]) {
        match self {
            Self::Page => ("page", [0xf6, 0xf4, 0xef], [0x17, 0x16, 0x14]),
            Self::Light => ("light", [0xef, 0xe5, 0xd1], [0x6d, 0x62, 0x53]),
            Self::Dark => ("dark", [0xdf, 0xcf, 0xb0], [0x5a, 0x50, 0x44]),
            Self::BlackLand => ("black-land", [0x9b, 0xa8, 0xbb], [0x6f, 0x7a, 0x98]),
            Self::WhiteLand => ("white-land", [0xe0, 0xb2, 0x7d], [0xa3, 0x79, 0x52]),
            Self::Label => ("label", [0x64, 0x5e, 0x55], [0xac, 0xa5, 0x98]),
            Self::BlackQueen => ("black-queen", [0x2b, 0x2a, 0x33], [0x12, 0x11, 0x17]),
            Self::BlackCrown => ("black-crown", [0xfd, 0xfa, 0xf3], [0xf4, 0xef, 0xe4]),
            Self::WhiteQueen => ("white-queen", [0xfd, 0xfa, 0xf3], [0xf4, 0xef, 0xe4]),
            Self::WhiteCrown => ("white-crown", [0x2b, 0x2a, 0x33], [0x12, 0x11, 0x17]),
            Self::Arrow => ("arrow", [0x57, 0x46, 0x3a], [0x25, 0x20, 0x1c]),
            Self::ArrowCross => ("arrow-cross", [0xb0, 0x9a, 0x89], [0x8d, 0x79, 0x69]),
            Self::Way => ("way", [0x0f, 0x6b, 0x6b], [0x5e, 0xc4, 0xbd]),
            Self::Tint => ("tint", [0xa8, 0xbd, 0xae], [0x66, 0x7d, 0x72]),
            Self::Text => ("text", [0x1f, 0x1d, 0x1a], [0xec, 0xe8, 0xdf]),
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
    /// Words that begin at a point, half as high above as below it, with digits of that height.
    Text([f32; 2], f32, String),
}

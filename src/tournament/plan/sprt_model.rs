use amazons_statistics::SprtModel;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn serialize<S: Serializer>(model: &SprtModel, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(model.name())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SprtModel, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

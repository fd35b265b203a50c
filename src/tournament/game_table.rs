//! The settings of a game as journals hold them: a table of those that are not the default.
//!
//! Up to format 2 they were a list of options, such as `--move-time=1000ms`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::game::GameSettings;

pub(super) fn serialize<S: Serializer>(settings: &GameSettings, to: S) -> Result<S::Ok, S::Error> {
    settings.table().serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GameSettings, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a table of settings is expected")]
    enum Written {
        Table(Map<String, Value>),
        Options(Vec<String>),
    }
    let table = match Written::deserialize(from)? {
        Written::Table(table) => table,
        Written::Options(options) => table_of(&options),
    };
    serde_json::from_value(Value::Object(table)).map_err(D::Error::custom)
}

fn table_of(options: &[String]) -> Map<String, Value> {
    let mut table = Map::new();
    for option in options {
        let option = option.trim_start_matches("--");
        match option.split_once('=') {
            None => {
                table.insert(option.to_owned(), true.into());
            }
            // The only option that was repeated.
            Some((name @ "allow-read", path)) => {
                let paths = table.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                paths.as_array_mut().into_iter().for_each(|paths| paths.push(path.into()));
            }
            Some((name, value)) => {
                table.insert(name.to_owned(), value.into());
            }
        }
    }
    table
}

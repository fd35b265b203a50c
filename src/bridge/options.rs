use thiserror::Error;

/// A part of the options without a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("options: '{0}' has no name: write them as 'Hash=64; Skill Level=5'")]
pub struct NamelessOption(String);

/// An option of an engine as it is set, `Hash=64`; a button has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    pub name: String,
    pub value: Option<String>,
}

impl EngineOption {
    /// Returns whether it has this name, in any case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the line that sets it; `name` is as the engine spells it.
    pub(super) fn line(&self, name: &str) -> String {
        let value = self.value.iter().map(|value| format!(" value {value}"));
        format!("setoption name {name}{}", value.collect::<String>())
    }
}

/// Reads options such as `Hash=64; Skill Level=5`: names and values may hold blanks.
pub fn engine_options(text: &str) -> Result<Vec<EngineOption>, NamelessOption> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let option = |part: &str| {
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value.trim())));
        let name = name.trim();
        if name.is_empty() || name.split(' ').any(|word| word == "value") {
            return Err(NamelessOption(part.to_owned()));
        }
        Ok(EngineOption { name: name.to_owned(), value: value.map(str::to_owned) })
    };
    parts.map(option).collect()
}

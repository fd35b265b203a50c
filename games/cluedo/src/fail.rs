/// Fails when something is so: a condition and its error in one line.
pub(crate) fn fail_if<E>(is_so: bool, error: E) -> Result<(), E> {
    if is_so { Err(error) } else { Ok(()) }
}

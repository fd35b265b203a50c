use std::hint::black_box;
use std::io;

use amazons_pages::Token;
use amazons_program::hex;
use sha2::{Digest, Sha256};

/// Makes a token: what the team gets, and the hash to keep.
///
/// Nobody can guess 128 random bits, so that one round of hashing protects them.
pub(super) fn new_token() -> io::Result<[String; 2]> {
    let token = Token::new()?.as_str().to_owned();
    let hash = hash_of(&token);
    Ok([token, hash])
}

fn hash_of(token: &str) -> String {
    hex(&Sha256::digest(token))
}

/// Returns whether a text is the token of a hash, in constant time.
pub(super) fn is_token(text: &str, hash: &str) -> bool {
    let found = hash_of(text);
    let differences = found.bytes().zip(hash.bytes()).fold(0, |differences, (a, b)| black_box(differences | (a ^ b)));
    found.len() == hash.len() && differences == 0
}

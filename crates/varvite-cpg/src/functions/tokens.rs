//! Tokens: the words of a piece of code, and numbers for them.
//!
//! A token is a run of ASCII letters, digits, `_`, `$` and bytes outside ASCII, or any other single byte that
//! is no white space. This is no lexer of a language: it is the same for all frontends, and it splits `a->b`
//! into `a`, `-`, `>`, `b`.
//!
//! The number of a token is its 64-bit FNV-1a hash modulo the number of ids. So no table of words is needed,
//! and a token has the same number in every batch and every graph.

/// The tokens of a text, in order.
pub fn tokens_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        let first = rest.bytes().next()?;
        let len = match is_word(first) {
            true => rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len()),
            false => 1,
        };
        let (token, after) = rest.split_at(len);
        rest = after;
        Some(token)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The number of a token, below `ids`.
pub fn token_id(token: &str, ids: u32) -> i64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = token.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash % u64::from(ids.max(1))) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_tokens_and_signs_are_tokens() {
        let tokens = |text| tokens_of(text).collect::<Vec<_>>();
        assert_eq!(
            tokens("a->b_1 += \"größe\" ;"),
            ["a", "-", ">", "b_1", "+", "=", "\"", "größe", "\"", ";"]
        );
        assert_eq!(tokens(" \t\n"), [""; 0]);
        assert_eq!(tokens("x"), ["x"]);
    }

    #[test]
    fn the_number_of_a_token_is_its_fnv_1a_hash() {
        // The published hashes of "a" and "foobar".
        assert_eq!(token_id("a", u32::MAX), (0xaf63_dc4c_8601_ec8c_u64 % u64::from(u32::MAX)) as i64);
        assert_eq!(token_id("foobar", 1 << 16), 0x8594_4171_f739_67e8_u64 as i64 & 0xffff);
        assert_eq!(token_id("a", 0), 0);
    }
}

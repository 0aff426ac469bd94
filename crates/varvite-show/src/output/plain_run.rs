//! Counts the leading bytes of a text that need no escape. Nearly all bytes need none, so sixteen are tested
//! at a time.

/// The number of bytes tested together.
const AT_ONCE: usize = 16;

/// The number of bytes before the first special byte, or the length of the text if it has none.
#[inline]
pub(super) fn plain_run(text: &[u8], is_special: impl Fn(u8) -> bool) -> usize {
    let (chunks, _) = text.as_chunks::<AT_ONCE>();
    // There is no branch per byte, so that the compiler can test all bytes of a chunk at once.
    let has_special = |chunk: &[u8; AT_ONCE]| chunk.iter().fold(false, |any, byte| any | is_special(*byte));
    let plain = chunks.iter().position(has_special).unwrap_or(chunks.len()) * AT_ONCE;
    let rest = &text[plain..];
    plain + rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_ends_a_run_wherever_it_is() {
        for len in 0..70 {
            let text = vec![b'a'; len];
            assert_eq!(plain_run(&text, |byte| byte == b'"'), len);
            for place in 0..len {
                let mut text = text.clone();
                text[place..].fill(b'"');
                assert_eq!(plain_run(&text, |byte| byte == b'"'), place, "of {len}");
            }
        }
    }
}

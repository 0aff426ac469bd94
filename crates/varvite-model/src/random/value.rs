//! Random property values, including many unusual ones: the least and the greatest value of every integer
//! type, NaN, -0, empty and long strings, NUL, characters of four bytes, null.

use crate::{NodeId, SplitMix64, Value, ValueType};

/// Names. They are few, so that several nodes have the same name, but more than the 15 that facts list. Some
/// of them sort differently in UTF-8 and UTF-16.
const NAMES: [&str; 20] = [
    "main",
    "memcpy",
    "malloc",
    "free",
    "x",
    "y",
    "i",
    "<operator>.assignment",
    "<operator>.addition",
    "<operator>.cast",
    "<operator>.indirectFieldAccess",
    "<global>",
    "größe",
    "\u{e000}",
    "\u{fffd}",
    "\u{10000}",
    "\u{1f600}",
    "quote\"d",
    "",
    "\0",
];

const WORDS: [&str; 16] = [
    "if",
    "(",
    ")",
    "return",
    "x",
    "+=",
    "0",
    "memcpy",
    " ",
    "\n",
    "\t",
    "\"",
    "größe",
    "\u{1f600}",
    "e\u{301}",
    "\0",
];

/// A name that is common in programs, or a more unusual one.
pub(crate) fn name(random: &mut SplitMix64) -> String {
    random.pick(&NAMES).to_string()
}

/// A text of at most `words_max` words or, rarely, a much longer one.
pub(crate) fn text(random: &mut SplitMix64, words_max: usize) -> String {
    let words = if random.chance(1) { 3000 } else { random.below(words_max + 1) };
    (0..words).map(|_| random.pick(&WORDS)).collect()
}

/// A random part of the text. It may begin and end at any character, and may be empty.
pub(crate) fn part_of(random: &mut SplitMix64, text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = random.below(characters.len() + 1);
    let end = start + random.below(characters.len() - start + 1);
    characters[start..end].iter().collect()
}

/// A value of a type. A reference leads to one of the `nodes`, or is null.
pub(crate) fn value(random: &mut SplitMix64, value_type: ValueType, nodes: &[NodeId]) -> Value {
    let bits = random.next_u64();
    match value_type {
        ValueType::Bool => Value::Bool(random.chance(50)),
        ValueType::I8 => Value::I8(random.pick(&[i8::MIN, -1, 0, 1, i8::MAX, bits as i8])),
        ValueType::I16 => Value::I16(random.pick(&[i16::MIN, -1, 0, 1, i16::MAX, bits as i16])),
        ValueType::I32 => Value::I32(random.pick(&[i32::MIN, -1, 0, 1, i32::MAX, bits as i32])),
        ValueType::I64 => Value::I64(random.pick(&[i64::MIN, -1, 0, 1, i64::MAX, bits as i64])),
        ValueType::U8 => Value::U8(random.pick(&[0, 1, u8::MAX, bits as u8])),
        ValueType::U16 => Value::U16(random.pick(&[0, 1, u16::MAX, bits as u16])),
        ValueType::U32 => Value::U32(random.pick(&[0, 1, u32::MAX, bits as u32])),
        ValueType::U64 => Value::U64(random.pick(&[0, 1, u64::MAX, bits])),
        ValueType::F32 => Value::F32(f32_value(random, f32::from_bits(bits as u32))),
        ValueType::F64 => Value::F64(f64_value(random, f64::from_bits(bits))),
        ValueType::String => Value::String(text(random, 6)),
        ValueType::Bytes => Value::Bytes(bits.to_le_bytes()[..random.below(9)].to_vec()),
        ValueType::Ref => Value::Ref(Some(random.pick(nodes)).filter(|_| random.chance(70))),
    }
}

fn f32_value(random: &mut SplitMix64, any: f32) -> f32 {
    let smallest = f32::from_bits(1);
    random.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 0.1, smallest, f32::MAX, any])
}

fn f64_value(random: &mut SplitMix64, any: f64) -> f64 {
    let smallest = f64::from_bits(1);
    random.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 0.1, smallest, f64::MAX, any])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_type_that_was_asked_for() {
        let types = [ValueType::I8, ValueType::U64, ValueType::F32, ValueType::String, ValueType::Ref];
        let mut random = SplitMix64::new(0);
        for value_type in types {
            assert_eq!(value(&mut random, value_type, &[NodeId(0)]).value_type(), value_type);
        }
    }

    #[test]
    fn a_part_is_found_in_the_whole() {
        let mut random = SplitMix64::new(0);
        for _ in 0..100 {
            let whole = text(&mut random, 10);
            assert!(whole.contains(&part_of(&mut random, &whole)));
        }
    }
}

//! [`Range`]: a part of a document, from one position to another.

/// A position in a document. The unit of columns is the document's position encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    /// The line, counted from 0.
    pub(super) line: u32,
    /// The number of code units before the position in its line.
    pub(super) column: u32,
}

impl Position {
    /// A position behind all positions of documents.
    pub(super) const END: Self = Self { line: u32::MAX, column: u32::MAX };
}

/// A range of positions without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

impl Range {
    /// The range of SCIP's numbers: start line, start column, end line (left out if it is the start line),
    /// end column. `None` if the numbers are no range.
    pub(super) fn of(numbers: &[u64]) -> Option<Self> {
        let (start_line, start_column, end_line, end_column) = match *numbers {
            [line, start, end] => (line, start, line, end),
            [line, start, end_line, end] => (line, start, end_line, end),
            _ => return None,
        };
        // Negative numbers are varints of more than 32 bits. Numbers that count from 1 are one higher.
        let number =
            |number: u64| u32::try_from(number).ok().filter(|number| *number < i32::MAX.cast_unsigned());
        let position = |line, column| Some(Position { line: number(line)?, column: number(column)? });
        let range = Self { start: position(start_line, start_column)?, end: position(end_line, end_column)? };
        (range.start <= range.end).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_are_in_one_line_and_four_in_two() {
        let range = |start: (u32, u32), end: (u32, u32)| {
            let position = |(line, column)| Position { line, column };
            Some(Range { start: position(start), end: position(end) })
        };
        assert_eq!(Range::of(&[7, 2, 5]), range((7, 2), (7, 5)));
        assert_eq!(Range::of(&[7, 2, 9, 1]), range((7, 2), (9, 1)));
        assert_eq!(Range::of(&[7, 2, 2]), range((7, 2), (7, 2)));
    }

    #[test]
    fn numbers_that_are_negative_or_go_backwards_are_no_range() {
        for numbers in
            [&[][..], &[1, 2], &[1; 5], &[1, 3, 2], &[2, 0, 1, 0], &[u64::MAX, 0, 1], &[(1 << 31) - 1, 0, 1]]
        {
            assert_eq!(Range::of(numbers), None, "{numbers:?}");
        }
    }
}

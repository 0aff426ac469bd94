//! [`Span`]: changed lines of a file, or the place between two lines where other lines were added or removed.

/// Changed lines, or a place between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first line, from 1; of a place between two lines, the line after it.
    first: u32,
    /// The number of lines; 0 for a place between two lines.
    len: u32,
}

impl Span {
    /// The lines from `first` to `last`.
    pub fn lines(first: u32, last: u32) -> Self {
        Self { first, len: last.saturating_sub(first).saturating_add(1) }
    }

    /// The place before a line.
    pub(super) fn before(line: u32) -> Self {
        Self { first: line, len: 0 }
    }

    /// The number of changed lines. A place between two lines counts as one.
    pub fn count(self) -> u64 {
        u64::from(self.len.max(1))
    }

    /// The first line, or the line after a place.
    pub(super) fn first(self) -> u32 {
        self.first
    }

    /// The number of changed lines that lie in the lines of a METHOD. A place lies in a METHOD if the METHOD
    /// has the line before it and the line after it.
    pub(super) fn count_within(self, first: u32, last: u32) -> u64 {
        if self.len == 0 {
            return u64::from(first < self.first && self.first <= last);
        }
        let end = u64::from(self.first) + u64::from(self.len);
        let end = end.min(u64::from(last) + 1);
        end.saturating_sub(u64::from(self.first.max(first)))
    }

    /// Sorts spans, and joins those that share lines, so that no line is counted twice.
    pub(super) fn joined(mut spans: Vec<Self>) -> Vec<Self> {
        spans.sort_unstable();
        let mut joined: Vec<Self> = Vec::with_capacity(spans.len());
        for span in spans {
            match joined.last_mut() {
                Some(last) if last.len > 0 && span.len > 0 && span.first <= last.end() => {
                    last.len = last.end().max(span.end()).saturating_sub(last.first).saturating_add(1);
                }
                Some(last) if *last == span => {}
                _ => joined.push(span),
            }
        }
        joined
    }

    /// The last line.
    pub(super) fn end(self) -> u32 {
        self.first.saturating_add(self.len.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn a_place_between_lines_is_in_a_method_that_has_both_lines() {
        let within = |line| Span::before(line).count_within(5, 9);
        assert_eq!([5, 6, 9, 10].map(within), [0, 1, 1, 0]);
    }

    #[test]
    fn lines_within_a_method_are_counted() {
        assert_eq!(Span::lines(1, 20).count_within(5, 9), 5);
        assert_eq!(Span::lines(8, 20).count_within(5, 9), 2);
        assert_eq!(Span::lines(10, 20).count_within(5, 9), 0);
        assert_eq!(Span::lines(1, u32::MAX).count_within(1, u32::MAX), u64::from(u32::MAX));
    }

    #[test]
    fn joined_spans_count_no_line_twice() {
        let spans = vec![Span::lines(7, 9), Span::lines(1, 3), Span::lines(3, 5), Span::before(7)];
        assert_eq!(Span::joined(spans), [Span::lines(1, 5), Span::before(7), Span::lines(7, 9)]);
    }
}

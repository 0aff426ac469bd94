//! [`Secret`]: random bytes that nobody can guess, as hexadecimal digits.

use std::fmt::{self, Write};

use subtle::ConstantTimeEq;

/// Random bytes.
#[derive(Clone)]
pub(crate) struct Secret {
    digits: String,
}

impl Secret {
    /// New random bytes from the operating system.
    pub(crate) fn new<const BYTES: usize>() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes)?;
        let mut digits = String::with_capacity(2 * BYTES);
        for byte in bytes {
            _ = write!(digits, "{byte:02x}");
        }
        Ok(Self { digits })
    }

    /// The hexadecimal digits.
    pub(crate) fn digits(&self) -> &str {
        &self.digits
    }

    /// Whether a text is this secret. Takes equally long wherever the two differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.digits.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

/// Does not show the digits, so that no log can have them.
impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_only_all_of_their_digits_are_them() {
        let [one, other] = [(); 2].map(|()| Secret::new::<32>().unwrap());
        assert_eq!(one.digits().len(), 64);
        assert!(one.is(one.digits()) && !one.is(other.digits()));
        assert!(!one.is("") && !one.is(&one.digits()[1..]) && !one.is(&format!("{}0", one.digits())));
        assert_eq!(format!("{one:?}"), "Secret");
    }
}

//! [`Sessions`]: launch codes, each for one login, and the tokens of pages.
//!
//! A link with a code can be seen by others: it stands in a terminal, or among the arguments of a browser. So
//! a code works once. The token that replaces it is sent in a header alone, which no other site can set.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::secret::Secret;

/// The bytes of a launch code, and of a token.
const CODE_BYTES: usize = 16;
const TOKEN_BYTES: usize = 32;
/// The most codes, and the most tokens, at a time. A new one replaces the oldest.
const CODES_MAX: usize = 16;
const TOKENS_MAX: usize = 64;

/// The codes that may be used, and the tokens that were given for others.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    codes: VecDeque<Secret>,
    tokens: VecDeque<Secret>,
}

impl Sessions {
    /// A new launch code.
    pub(crate) fn new_code(&self) -> Result<String, getrandom::Error> {
        let code = Secret::new::<CODE_BYTES>()?;
        let digits = code.digits().to_owned();
        push(&mut self.known().codes, code, CODES_MAX);
        Ok(digits)
    }

    /// Exchanges a launch code for a token; `None` if the code is wrong or was used.
    pub(crate) fn log_in(&self, code: &str) -> Result<Option<String>, getrandom::Error> {
        let token = Secret::new::<TOKEN_BYTES>()?;
        let mut known = self.known();
        let Some(place) = place_of(&known.codes, code) else { return Ok(None) };
        known.codes.remove(place);
        let digits = token.digits().to_owned();
        push(&mut known.tokens, token, TOKENS_MAX);
        Ok(Some(digits))
    }

    /// Whether a text is the token of a page.
    pub(crate) fn has_token(&self, text: &str) -> bool {
        place_of(&self.known().tokens, text).is_some()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a secret. Compares all, so that the time does not tell which one it is.
fn place_of(secrets: &VecDeque<Secret>, text: &str) -> Option<usize> {
    secrets
        .iter()
        .enumerate()
        .fold(None, |found, (place, secret)| if secret.is(text) { Some(place) } else { found })
}

fn push(secrets: &mut VecDeque<Secret>, secret: Secret, most: usize) {
    if secrets.len() == most {
        secrets.pop_front();
    }
    secrets.push_back(secret);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_gives_one_token_once() {
        let sessions = Sessions::default();
        let code = sessions.new_code().unwrap();
        assert_eq!(sessions.log_in("").unwrap(), None);
        assert_eq!(sessions.log_in(&code[1..]).unwrap(), None);
        let token = sessions.log_in(&code).unwrap().unwrap();
        assert_eq!(sessions.log_in(&code).unwrap(), None);
        assert!(sessions.has_token(&token) && !sessions.has_token(&code) && !sessions.has_token(""));
    }

    #[test]
    fn old_codes_and_tokens_make_room() {
        let sessions = Sessions::default();
        let codes: Vec<String> = (0..=CODES_MAX).map(|_| sessions.new_code().unwrap()).collect();
        assert_eq!(sessions.log_in(&codes[0]).unwrap(), None);
        let first = sessions.log_in(&codes[1]).unwrap().unwrap();
        for _ in 0..TOKENS_MAX {
            let code = sessions.new_code().unwrap();
            sessions.log_in(&code).unwrap().unwrap();
        }
        assert!(!sessions.has_token(&first));
    }
}

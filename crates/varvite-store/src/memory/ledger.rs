//! [`Ledger`]: counts every byte that the engine holds, by account and state.
//!
//! A [`Charge`] is a guard: its bytes are in the ledger from its creation until its drop, so the sums are
//! always right without further calls. Charging takes a short lock to find the account; dropping or resizing
//! a charge and reading totals need only atomics. The ledger enforces no limit: the callers that charge it
//! check budgets. Several ledgers may add their heap bytes to one [`HeapBytes`].

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use crate::sync::{AtomicU64, Mutex, Ordering};

/// The holder of bytes: a segment, by its number in the file, or one of the constants below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountId(pub u32);

impl AccountId {
    /// The engine itself: frontiers, workspaces, and all other memory outside columns.
    pub const ENGINE: AccountId = AccountId(u32::MAX);
    /// Tables of a file that stay while it is open: directory and schema.
    pub const DIRECTORY: AccountId = AccountId(u32::MAX - 1);
}

/// The state of held bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryState {
    /// Bytes of a mapped file. They use memory only as far as their pages are resident.
    Mapped,
    /// Bytes of a private buffer with a decoded segment or block.
    Decoded,
    /// Bytes that a reader holds, so that they can't be evicted. The same bytes also count as mapped or
    /// decoded.
    Pinned,
    /// Working memory, which exists during one operation.
    Scratch,
    /// Tables that exist while the file is open.
    Tables,
}

impl MemoryState {
    /// All states, in the order of their declaration.
    pub const ALL: [MemoryState; 5] =
        [Self::Mapped, Self::Decoded, Self::Pinned, Self::Scratch, Self::Tables];
}

/// The bytes of one account in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LedgerRow {
    /// The holder of the bytes.
    pub account: AccountId,
    /// The state of the bytes.
    pub state: MemoryState,
    /// The number of bytes.
    pub bytes: u64,
}

impl MemoryState {
    /// Whether bytes in this state are heap memory.
    fn is_anonymous(self) -> bool {
        matches!(self, Self::Decoded | Self::Scratch | Self::Tables)
    }
}

/// The heap bytes of several ledgers together.
#[derive(Debug, Default)]
pub(crate) struct HeapBytes(AtomicU64);

impl HeapBytes {
    /// The number of bytes now.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Replaces `old` of the bytes by `new` bytes, as [`Balance::replace`] does.
    fn replace(&self, old: u64, new: u64) {
        self.0.fetch_add(new.wrapping_sub(old), Ordering::Relaxed);
    }
}

/// The memory that a file's accounts take for themselves. No ledger counts this memory, but a [`HeapBytes`]
/// does, until this value is dropped.
#[derive(Debug)]
pub(crate) struct BookkeepingBytes {
    together: Arc<HeapBytes>,
    bytes: u64,
}

impl BookkeepingBytes {
    /// Adds `bytes` bytes to `together`.
    pub(crate) fn add(together: &Arc<HeapBytes>, bytes: u64) -> Self {
        together.replace(0, bytes);
        Self { together: Arc::clone(together), bytes }
    }
}

impl Drop for BookkeepingBytes {
    fn drop(&mut self) {
        self.together.replace(self.bytes, 0);
    }
}

/// The ledger of one open graph. Clones are handles of the same ledger; any thread may call all methods.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    books: Arc<Books>,
}

#[derive(Debug, Default)]
struct Books {
    totals: Balance,
    /// The sum of several ledgers to which this one is added; `None` if there is no such sum.
    together: Option<Arc<HeapBytes>>,
    accounts: Mutex<BTreeMap<AccountId, Arc<Balance>>>,
}

/// Bytes in each state.
#[derive(Debug, Default)]
struct Balance {
    bytes: [AtomicU64; MemoryState::ALL.len()],
}

impl Ledger {
    /// A ledger without charges.
    pub fn new() -> Self {
        Self::default()
    }

    /// A ledger without charges, whose heap bytes are also added to `together`.
    pub(crate) fn with(together: Option<Arc<HeapBytes>>) -> Self {
        Self { books: Arc::new(Books { together, ..Books::default() }) }
    }

    /// Charges `bytes` to an account, until the charge is dropped.
    pub fn charge(&self, account: AccountId, state: MemoryState, bytes: u64) -> Charge {
        self.account(account).charge(state, bytes)
    }

    /// A handle to an account. Charging through the handle takes no lock, so use it to charge an account
    /// often.
    pub fn account(&self, id: AccountId) -> Account {
        Account { books: Arc::clone(&self.books), balance: self.balance_of(id), id }
    }

    /// The number of bytes in `state`, of all accounts.
    pub fn total(&self, state: MemoryState) -> u64 {
        self.books.totals.get(state)
    }

    /// The number of heap bytes that the engine holds: decoded, scratch and tables.
    pub fn anonymous(&self) -> u64 {
        MemoryState::ALL.into_iter().filter(|it| it.is_anonymous()).map(|state| self.total(state)).sum()
    }

    /// Every account and state that holds bytes, in order of account, then state.
    ///
    /// If other threads charge meanwhile, each row was right at some moment, but not all rows at the same
    /// moment.
    pub fn snapshot(&self) -> Vec<LedgerRow> {
        let accounts = self.books.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = accounts.iter().flat_map(|(&account, balance)| {
            MemoryState::ALL.map(|state| LedgerRow { account, state, bytes: balance.get(state) })
        });
        rows.filter(|row| row.bytes > 0).collect()
    }

    fn balance_of(&self, account: AccountId) -> Arc<Balance> {
        let mut accounts = self.books.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(accounts.entry(account).or_default())
    }
}

/// One account of a ledger.
#[derive(Debug, Clone)]
pub struct Account {
    books: Arc<Books>,
    balance: Arc<Balance>,
    id: AccountId,
}

impl Account {
    /// Charges `bytes` to this account, until the charge is dropped. Costs a few atomic additions.
    pub fn charge(&self, state: MemoryState, bytes: u64) -> Charge {
        let mut charge = Charge { account: self.clone(), state, bytes: 0 };
        charge.resize(bytes);
        charge
    }
}

/// Bytes in the ledger, which are removed when this value is dropped.
#[derive(Debug)]
#[must_use = "the bytes leave the ledger as soon as the charge is dropped"]
pub struct Charge {
    account: Account,
    state: MemoryState,
    bytes: u64,
}

impl Charge {
    /// The account that the bytes are charged to.
    pub fn account(&self) -> AccountId {
        self.account.id
    }

    /// The state of the bytes.
    pub fn state(&self) -> MemoryState {
        self.state
    }

    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Changes the charge to `bytes` bytes, more or fewer than before.
    pub fn resize(&mut self, bytes: u64) {
        for balance in [&self.account.books.totals, &*self.account.balance] {
            balance.replace(self.state, self.bytes, bytes);
        }
        if let Some(together) = self.account.books.together.as_ref().filter(|_| self.state.is_anonymous()) {
            together.replace(self.bytes, bytes);
        }
        self.bytes = bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.resize(0);
    }
}

impl Balance {
    fn get(&self, state: MemoryState) -> u64 {
        self.bytes[state as usize].load(Ordering::Relaxed)
    }

    /// Replaces `old` bytes in this state by `new` bytes. The result is exact even if `new` is less than
    /// `old`, because a wrapping addition is then a subtraction in two's complement.
    fn replace(&self, state: MemoryState, old: u64, new: u64) {
        self.bytes[state as usize].fetch_add(new.wrapping_sub(old), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: AccountId = AccountId(3);
    const CODE: AccountId = AccountId(1);

    #[test]
    fn a_charge_counts_until_it_is_dropped() {
        let ledger = Ledger::new();
        let name = ledger.charge(NAME, MemoryState::Decoded, 100);
        let mut code = ledger.charge(CODE, MemoryState::Decoded, 20);
        assert_eq!(ledger.total(MemoryState::Decoded), 120);
        code.resize(5);
        assert_eq!(ledger.total(MemoryState::Decoded), 105);
        drop(name);
        assert_eq!(ledger.total(MemoryState::Decoded), 5);
        drop(code);
        assert_eq!(ledger.snapshot(), []);
    }

    #[test]
    fn rows_come_by_account_then_state_without_empty_ones() {
        let ledger = Ledger::new();
        let _charges = [
            ledger.charge(NAME, MemoryState::Scratch, 4),
            ledger.charge(NAME, MemoryState::Mapped, 3),
            ledger.charge(CODE, MemoryState::Mapped, 2),
            ledger.charge(CODE, MemoryState::Mapped, 2),
            ledger.charge(AccountId::ENGINE, MemoryState::Scratch, 0),
        ];
        let row = |account, state, bytes| LedgerRow { account, state, bytes };
        let expected = [
            row(CODE, MemoryState::Mapped, 4),
            row(NAME, MemoryState::Mapped, 3),
            row(NAME, MemoryState::Scratch, 4),
        ];
        assert_eq!(ledger.snapshot(), expected);
    }

    #[test]
    fn pinned_bytes_are_not_counted_twice_as_heap() {
        let ledger = Ledger::new();
        let _decoded = ledger.charge(NAME, MemoryState::Decoded, 64);
        let _pinned = ledger.charge(NAME, MemoryState::Pinned, 64);
        let _scratch = ledger.charge(AccountId::ENGINE, MemoryState::Scratch, 8);
        assert_eq!(ledger.anonymous(), 72);
    }

    #[test]
    fn what_ledgers_have_of_the_heap_is_known_together() {
        let together = Arc::new(HeapBytes::default());
        let [one, other] = [(); 2].map(|()| Ledger::with(Some(Arc::clone(&together))));
        let mut decoded = one.charge(NAME, MemoryState::Decoded, 64);
        let _pinned = one.charge(NAME, MemoryState::Pinned, 64);
        let _mapped = other.charge(NAME, MemoryState::Mapped, 32);
        let _tables = other.charge(AccountId::DIRECTORY, MemoryState::Tables, 8);
        assert_eq!(together.bytes(), 72);
        decoded.resize(4);
        drop(one);
        assert_eq!(together.bytes(), 12);
        drop(decoded);
        assert_eq!(together.bytes(), other.anonymous());
    }

    #[test]
    fn the_books_balance_after_many_threads() {
        let ledger = Ledger::new();
        std::thread::scope(|scope| {
            for account in [NAME, NAME, CODE] {
                let ledger = &ledger;
                scope.spawn(move || {
                    for bytes in 0..200 {
                        ledger.charge(account, MemoryState::Scratch, bytes).resize(bytes / 2);
                    }
                });
            }
        });
        assert_eq!(ledger.snapshot(), []);
        assert_eq!(ledger.total(MemoryState::Scratch), 0);
    }
}

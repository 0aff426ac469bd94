//! The progress bar of long commands, shown only if standard error is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that disappears when it is dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for work that consists of named steps.
    pub(crate) fn steps() -> Self {
        Self::new("{wide_bar} {pos}/{len} {msg:24!}")
    }

    /// A bar that counts bytes and shows `name`.
    pub(crate) fn bytes(name: &'static str) -> Self {
        let progress = Self::new("{msg:8!} {wide_bar} {bytes}/{total_bytes} {eta}");
        progress.0.set_message(name);
        progress
    }

    fn new(template: &str) -> Self {
        let style = ProgressStyle::with_template(template).expect("templates are those above");
        let bar = ProgressBar::new(0).with_style(style);
        // The bar is drawn when a step is done, and not by a separate thread, since the system may not be
        // able to start one.
        bar.tick();
        Self(bar)
    }

    /// Shows the progress of the work.
    pub(crate) fn show(&self, progress: &varvite::Progress<'_>) {
        self.0.set_message(progress.step.to_owned());
        self.bytes_done(progress.done, progress.total);
    }

    /// Shows that `done` of `total` bytes were processed.
    pub(crate) fn bytes_done(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

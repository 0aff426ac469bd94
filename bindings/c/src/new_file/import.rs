//! `varvite_import`: makes a graph file from a foreign graph.

use std::path::Path;

use varvite::write::Codec;
use varvite::{IfExists, Profile};
use varvite_import::{Expansion, Import};

use crate::failure::Failure;
use crate::pointer::{Options, OutStructs, PathText, SizedFirst, c_struct};
use crate::run::task;
use crate::status::Status;

c_struct! {
    /// Options of an import.
    ImportSettings = "varvite_import_options" {
        size: u32,
        profile: u32,
        codec: u32,
        replace: u32,
        threads: u32,
        expansion: u32,
    }
}

c_struct! {
    /// The result of an import.
    Imported = "varvite_import_report" {
        node_count: u64,
        edge_count: u64,
        file_length: u64,
        refs_to_deleted: u64,
    }
}

impl Default for ImportSettings {
    fn default() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            profile: Profile::Compact.to_number(),
            codec: Codec::Zstd as u32,
            replace: 0,
            threads: 0,
            expansion: 0,
        }
    }
}

impl SizedFirst for ImportSettings {}

impl ImportSettings {
    fn import(&self, source: &Path) -> Result<Import<'static>, Failure> {
        let (profile, codec) = (profile(self.profile)?, codec(self.codec)?);
        let if_exists = if_exists(self.replace)?;
        let expansion = match self.expansion {
            0 => Expansion::default(),
            ratio => Expansion::new(ratio.into()),
        };
        let import = Import::new(source).profile(profile).codec(codec).if_exists(if_exists);
        Ok(import.expansion(expansion).task(task(self.threads, 0)))
    }
}

/// The profile with this number.
pub(crate) fn profile(number: u32) -> Result<Profile, Failure> {
    Profile::from_number(number).ok_or_else(|| value("options.profile", "one of the profiles", number))
}

/// The archive codec with this number.
pub(crate) fn codec(number: u32) -> Result<Codec, Failure> {
    let codec = [Codec::Zstd, Codec::Lz4].into_iter().find(|codec| *codec as u32 == number);
    codec.ok_or_else(|| value("options.codec", "VARVITE_ZSTD or VARVITE_LZ4", number))
}

/// The action for an existing target file: replace it if `replace` is 1, refuse if it is 0.
pub(crate) fn if_exists(replace: u32) -> Result<IfExists, Failure> {
    match replace {
        0 => Ok(IfExists::Refuse),
        1 => Ok(IfExists::Replace),
        other => Err(value("options.replace", "0 or 1", other)),
    }
}

fn value(argument: &'static str, expected: &'static str, found: u32) -> Failure {
    Failure::Value { argument, expected, found: found.into() }
}

exports! {
    /// Makes a graph file from a flatgraph file.
    fn varvite_import(
        source: PathText<'_>,
        target: PathText<'_>,
        options: Options<'_, ImportSettings>,
        report: OutStructs<'_, Imported>,
        report_size: u64,
    ) {
        let report = report.room(report_size, 1)?;
        let done = options.import(source)?.write_to(target)?;
        report.write(Imported {
            node_count: done.nodes.into(),
            edge_count: done.edges,
            file_length: done.file_len,
            refs_to_deleted: done.refs_to_deleted,
        });
        Ok(Status::Ok)
    }
}

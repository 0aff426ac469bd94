//! `varvite_import`: a foreign graph becomes a file.

use std::path::Path;

use varvite::write::Codec;
use varvite::{IfExists, Profile};
use varvite_import::{Expansion, Import};

use crate::failure::Failure;
use crate::pointer::{Options, OutStructs, PathText, SizedFirst, c_struct};
use crate::status::Status;

c_struct! {
    /// How to import.
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
    /// What an import did.
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
        let value =
            |argument, expected, found: u32| Failure::Value { argument, expected, found: found.into() };
        let profile = Profile::from_number(self.profile)
            .ok_or_else(|| value("options.profile", "one of the profiles", self.profile))?;
        let codec = [Codec::Zstd, Codec::Lz4].into_iter().find(|codec| *codec as u32 == self.codec);
        let codec = codec.ok_or_else(|| value("options.codec", "VARVITE_ZSTD or VARVITE_LZ4", self.codec))?;
        let if_exists = match self.replace {
            0 => IfExists::Refuse,
            1 => IfExists::Replace,
            other => return Err(value("options.replace", "0 or 1", other)),
        };
        let expansion = match self.expansion {
            0 => Expansion::default(),
            ratio => Expansion::new(ratio.into()),
        };
        let import = Import::new(source).profile(profile).codec(codec).if_exists(if_exists);
        let import = import.expansion(expansion);
        Ok(if self.threads == 0 { import } else { import.threads(self.threads as usize) })
    }
}

exports! {
    /// Makes a graph file of a flatgraph file.
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

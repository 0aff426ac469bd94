//! `varvite heap flame`: writes a profile as a drawing, or as stacks for other viewers.

use std::io::{BufWriter, Write};
use std::path::Path;

use clap::{Args, ValueEnum};
use varvite_profile::layer::{FlameTree, HeapLayer};

use super::asked::{AtArgs, ProfileArgs};
use super::measured::{SortArgs, title_of};
use crate::commands::new_file::NewFileArgs;
use crate::commands::profile_words::estimated;
use crate::failure::{Failure, Outcome};
use crate::output::{remark, thousands};

/// Arguments of `varvite heap flame`.
#[derive(Debug, Args)]
pub(crate) struct FlameArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    at: AtArgs,
    #[command(flatten)]
    sort: SortArgs,
    /// Output format [default: by the extension of the file, else collapsed]. Collapsed, speedscope and pprof
    /// list each stack in full. If recursion is so deep that this text exceeds both 64 MiB and --expansion
    /// times the profile, the command refuses to write it
    #[arg(long, value_enum)]
    format: Option<FlameFormat>,
    #[command(flatten)]
    new_file: NewFileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FlameFormat {
    /// One stack per line, for flamegraph.pl, inferno and speedscope
    Collapsed,
    /// A drawing with tooltips
    Svg,
    /// A self-contained page with zoom and search
    Html,
    /// A document for speedscope, with all measures
    Speedscope,
    /// A profile for pprof, with all measures
    Pprof,
}

/// Writes the stacks or the drawing.
pub(super) fn run(args: &FlameArgs) -> Outcome {
    args.profile.ask_at(&args.at, args.sort.name(), |_, layer| answer(args, layer))
}

fn answer(args: &FlameArgs, layer: &HeapLayer) -> Outcome {
    let format = args.format.unwrap_or_else(|| FlameFormat::of(args.new_file.path()));
    let measure = match (args.sort.name(), format) {
        // Without --sort, pprof will first show the measure that the profile's own tool shows first.
        (None, FlameFormat::Pprof) => layer.default_measure(),
        _ => args.sort.of(&layer.measures)?,
    };
    let flame = FlameTree::of(layer, measure);
    let name = layer.measures.get(flame.measure).map_or("", |measure| measure.whole_name());
    let sampled = layer.sampling.as_ref().map_or_else(String::new, |it| format!(" ({})", estimated(it)));
    let title = format!("{}: {} {name}{sampled}", title_of(layer), flame.told(flame.total));
    if !format.is_drawing() {
        let long = |source| Failure::LongStacks { file: args.profile.file().to_owned(), source };
        layer.check_stacks(args.profile.expansion()).map_err(long)?;
    }
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        match format {
            FlameFormat::Collapsed => flame.write_collapsed(&mut out)?,
            FlameFormat::Svg => flame.write_svg(&title, &mut out)?,
            FlameFormat::Html => flame.write_html(&title, &mut out)?,
            FlameFormat::Speedscope => layer.write_speedscope(flame.measure, &mut out)?,
            FlameFormat::Pprof => layer.write_pprof(flame.measure, &mut out)?,
        }
        out.flush()
    };
    let deep = if format.is_drawing() { flame.too_deep() } else { 0 };
    if deep > 0 {
        let limit = thousands(FlameTree::DEPTH_MAX.into());
        let told = flame.told(deep);
        remark(&format!("{told} {name} of stacks deeper than {limit} calls: the drawing omits deeper calls"));
    }
    let Some(output) = args.new_file.path() else {
        if let Some(sampling) = &layer.sampling {
            remark(&format!("{}: {}", title_of(layer), estimated(sampling)));
        }
        return Ok(write(&mut std::io::stdout().lock())?);
    };
    args.new_file.write(output, args.profile.file(), &sampled, |out| write(out))
}

impl FlameFormat {
    /// Whether the format is a drawing of frames, and does not list each stack in full.
    fn is_drawing(self) -> bool {
        matches!(self, Self::Svg | Self::Html)
    }

    /// The format that the extension of a file's name stands for.
    fn of(path: Option<&Path>) -> Self {
        match path.and_then(Path::extension).and_then(|ending| ending.to_str()) {
            Some("svg") => Self::Svg,
            Some("html" | "htm") => Self::Html,
            Some("json") => Self::Speedscope,
            Some("gz" | "pb" | "pprof") => Self::Pprof,
            _ => Self::Collapsed,
        }
    }
}

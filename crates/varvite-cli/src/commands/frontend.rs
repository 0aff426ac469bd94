//! `varvite frontend`: makes the graph of a program with one of Joern's frontends.
//!
//! First the frontend and then Joern's default overlays run, each in its own Java process. They write a file
//! `.NAME.cpg.bin` beside the new graph; the command then imports and removes that file. The file of the new
//! graph is created before they run, and stays locked until it is complete. Ctrl-C ends the running process,
//! and leaves no file. The steps are those of `joern-parse`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use clap::Args;
use varvite_store::vfs::RealVfs;
use varvite_store::{StagedFile, StoreError, Vfs};

use super::import_flatgraph;
use super::import_target::TargetArgs;
use super::joern::{Fitting, InstallationArgs};
use crate::arguments::parse_size;
use crate::failure::{Failure, Outcome};
use crate::joern::{Children, Frontend, Installation, Java, JoernError, Jvm, OurJar, Purpose, log_option};
use crate::output::remark;

/// The class in Varvite's jar that applies the overlays.
const OVERLAYS: &str = "varvite.joern.start.Overlays";

/// Arguments of `varvite frontend`.
#[derive(Debug, Args)]
pub(crate) struct FrontendArgs {
    /// The frontend of your Joern, such as c2cpg, javasrc2cpg, jssrc2cpg or pysrc2cpg
    #[arg(value_name = "FRONTEND")]
    name: String,
    /// The source code: a folder, or another input that the frontend accepts
    source: PathBuf,
    /// The new graph file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Maximum Java heap of the frontend, and of the overlays, such as 16G [default: Java's own, a quarter of
    /// the memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    heap: Option<usize>,
    /// Show the output of the frontend and the overlays
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    installation: InstallationArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// Arguments for the frontend
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// Makes the graph, and reports the result.
pub(crate) fn run(args: &FrontendArgs) -> Outcome {
    let children = Children::default();
    let place = Arc::new(OnceLock::new());
    let (to_stop, to_remove) = (children.clone(), Arc::clone(&place));
    let disk = args.target.write.disk_after(move || {
        to_stop.stop();
        // The frontend replaces the file that this command created. So `disk` does not know the new file, and
        // the new file is removed here.
        to_remove.get().into_iter().for_each(|path: &PathBuf| _ = RealVfs.remove(path));
    });
    let target = args.target.of(&args.output, None, Arc::clone(&disk))?;
    let parser = Parser::find(args)?;
    if !args.source.exists() {
        return Err(Failure::source(
            &args.source,
            "no such file or folder; SOURCE is the source code".to_owned(),
        ));
    }
    let file = StagedFile::create(Arc::clone(&disk), target.path, target.if_exists)?;
    let foreign = Foreign::create(&*disk, beside(file.target()))?;
    place.get_or_init(|| foreign.path.clone());
    parser.run(&children, &foreign.path).map_err(Failure::from)?;
    import_flatgraph::import_into(&foreign.path, &target, file)
}

/// The file of the foreign graph, which the frontend writes and the import reads. Only the process that holds
/// the lock of the new graph may use it.
struct Foreign<'a> {
    disk: &'a dyn Vfs,
    path: PathBuf,
}

impl<'a> Foreign<'a> {
    /// Creates an empty file. A file that an earlier run left behind is removed first.
    fn create(disk: &'a dyn Vfs, path: PathBuf) -> Result<Self, StoreError> {
        if disk.exists(&path)? {
            disk.remove(&path)?;
        }
        disk.create_private(&path)?;
        Ok(Self { disk, path })
    }
}

impl Drop for Foreign<'_> {
    fn drop(&mut self) {
        // If removing the file fails, the next run with the same target removes it.
        let _ = self.disk.remove(&self.path);
    }
}

/// The path `.NAME.cpg.bin` beside the target.
fn beside(target: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".cpg.bin");
    target.with_file_name(name)
}

/// The data for running the two programs that make a foreign graph: the frontend and the overlays.
struct Parser<'a> {
    args: &'a FrontendArgs,
    installation: Installation,
    frontend: Frontend,
    jar: OurJar,
    java: Java,
}

impl<'a> Parser<'a> {
    fn find(args: &'a FrontendArgs) -> Result<Self, JoernError> {
        let Fitting { installation, jar, .. } = args.installation.find(Purpose::Frontend)?;
        let frontend = installation.frontend(&args.name)?;
        Ok(Self { args, frontend, jar, java: Java::find()?, installation })
    }

    /// Makes a `cpg.bin` from the source, and applies the overlays to it.
    fn run(&self, children: &Children, graph: &Path) -> Result<(), JoernError> {
        remark(&format!("{}; {}", self.installation.description(), self.java.description()));
        let name = &*self.args.name;
        self.step(children, name, self.frontend(graph)?)?;
        let is_empty = std::fs::metadata(graph).map_or(true, |data| data.len() == 0);
        if is_empty {
            return Err(JoernError::NothingWritten { name: name.to_owned() });
        }
        self.step(children, "overlays", self.overlays(graph)?)
    }

    fn step(&self, children: &Children, name: &str, command: Command) -> Result<(), JoernError> {
        let began = Instant::now();
        children.run(name, command, self.args.verbose)?;
        remark(&format!("{name}: {:.1} s", began.elapsed().as_secs_f64()));
        Ok(())
    }

    fn frontend(&self, graph: &Path) -> Result<Command, JoernError> {
        let mut command = self.jvm(&self.frontend.jars).command(&self.frontend.class)?;
        command.arg(&self.args.source).arg("--output").arg(graph).args(&self.args.args);
        Ok(command)
    }

    /// The command that applies the overlays. Varvite's jar is last on the class path, so that flatgraph's
    /// own classes are used.
    fn overlays(&self, graph: &Path) -> Result<Command, JoernError> {
        let jars = self.installation.jars().iter().cloned().chain([self.jar.path().to_owned()]);
        let mut command = self.jvm(&jars.collect::<Vec<_>>()).command(OVERLAYS)?;
        command.arg(graph);
        if let Some((name, value)) = self.installation.variable() {
            command.env(name, value);
        }
        Ok(command)
    }

    /// The JVM that runs the frontend or the overlays. If the heap is too small, the JVM exits, so that it
    /// does not continue with an incomplete graph.
    fn jvm(&self, class_path: &[PathBuf]) -> Jvm<'_> {
        Jvm::new(&self.java, class_path.iter().cloned())
            .options(log_option(self.installation.root()))
            .options(["-XX:+ExitOnOutOfMemoryError"])
            .heap(self.args.heap)
    }
}

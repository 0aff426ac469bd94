//! `cargo xtask hostile`: runs every command on every file of `varvite-hostile`, each in a child process with
//! limited memory and time.
//!
//! No run may be ended by a signal or get stuck; each must end with a documented exit code and its message.
//! The expected code of each run is in `crates/varvite-hostile/expected.txt`.

mod child;
mod expected;
mod good;
mod jvm;
mod questions;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::built::{self, Profile};
use crate::c::Staged;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

use child::{CPU_SECONDS, CPU_SECONDS_ALONE, Run, Start};
use expected::{Endings, Expected};
use questions::Question;

const EXPECTED: &str = "crates/varvite-hostile/expected.txt";
/// The one valid graph among the files.
const GRAPH: &str = "a-sound-graph.varvite";
/// The maximum number of faulty runs that are shown.
const SHOWN: usize = 500;
/// The number of slowest runs that are shown with `--slow`.
const SLOW: usize = 20;

/// Builds the required programs, makes the files, and runs everything. A word among the arguments restricts
/// the runs to files whose name contains the word. With `--eighth`, only every eighth question is asked about
/// each file, in such a way that each question is asked about every eighth file.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let only = words.iter().find(|word| !word.starts_with("--")).map_or("", String::as_str);
    let stride = if words.iter().any(|word| word == "--eighth") { 8 } else { 1 };
    let range = Range { stride, ..Range::prepare(root, only)? };
    questions::check_against_help(&range.program)?;
    let began = Instant::now();
    let runs = range.run_all()?;
    let seconds = began.elapsed().as_secs_f64();
    if words.iter().any(|word| word == "--slow") {
        show_slow(&runs);
    }
    println!("hostile: {} runs on {} files in {seconds:.0} s", runs.len(), range.files.len());
    let commands = check(root, &runs, only.is_empty() && stride == 1);
    commands.as_ref().err().into_iter().for_each(|failure| eprintln!("{failure}"));
    range.check_java(root, &runs).and(commands)
}

/// A question about a file, and the run that answered it.
struct Answered<'a> {
    file: &'a str,
    question: &'a Question,
    run: Run,
}

/// The folder of the hostile files, and the programs that are run on them.
struct Range {
    folder: PathBuf,
    program: PathBuf,
    /// The path of the C program.
    ask: PathBuf,
    files: Vec<String>,
    /// Only every `stride`-th question about a file is asked.
    stride: usize,
}

impl Range {
    fn prepare(root: &Path, only: &str) -> Outcome<Self> {
        let built = built::build(root, Profile::Dev, &["--bin", "varvite", "--bin", "varvite-hostile"])?;
        let folder = target_dir(root).join("hostile");
        let _ = fs::remove_dir_all(&folder);
        for name in ["files", "good"] {
            create(&folder.join(name))?;
        }
        let mut generate = Command::new(built.join("varvite-hostile"));
        let names = process::output(generate.arg(folder.join("files")), "")?;
        let program = built.join("varvite");
        good::write(&folder.join("good"), &folder.join("files"))?;
        let files = names.lines().filter(|name| name.contains(only)).map(str::to_owned).collect();
        let ask = folder.join("ask");
        Staged::build(root)?.compile(&root.join("bindings/c/tests/hostile/ask.c"), &ask)?;
        Ok(Self { folder, program, ask, files, stride: 1 })
    }

    /// Asks all questions, on as many threads as there are processors.
    fn run_all(&self) -> Outcome<Vec<Answered<'_>>> {
        let tasks: Vec<(&str, &Question)> = self
            .files
            .iter()
            .enumerate()
            .flat_map(|(number, file)| {
                let asked = questions::ALL.iter().filter(|question| file.ends_with(question.ending));
                // The C program runs on all files, because its answers are compared with Java's.
                let asked = asked.skip(number % self.stride).step_by(self.stride).chain([&questions::C]);
                let asked = asked.filter(|question| file.ends_with(question.ending));
                asked.map(move |question| (file.as_str(), question))
            })
            .collect();
        let path = self.folder.join("runs.txt");
        let cannot = |error: std::io::Error| Failure(format!("cannot write {}: {error}", path.display()));
        let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let log = File::create(&path).map_err(cannot)?;
        let work = |worker: usize| -> Outcome {
            let scratch = self.folder.join(format!("work-{worker}"));
            while let Some((file, question)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let run = self.ask(file, question, CPU_SECONDS, &scratch)?;
                let (name, milliseconds) = (question.name, run.time.as_millis());
                let line = format!("{file} {name} {} {milliseconds}\n", run.ending);
                (&log).write_all(line.as_bytes()).map_err(cannot)?;
                answers.lock().expect("no worker panics").push(Answered { file, question, run });
            }
            Ok(())
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|worker| scope.spawn(move || work(worker))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        let mut answers = answers.into_inner().expect("no worker panics");
        self.ask_again_alone(&mut answers)?;
        Ok(answers)
    }

    /// Repeats the questions whose runs exceeded their time, one at a time and with a larger limit.
    fn ask_again_alone(&self, answers: &mut [Answered<'_>]) -> Outcome {
        for Answered { file, question, run } in
            answers.iter_mut().filter(|run| run.run.ending.is_out_of_time())
        {
            *run = self.ask(file, question, CPU_SECONDS_ALONE, &self.folder.join("work-0"))?;
            let seconds = run.time.as_secs_f64();
            println!("  {file} {}: not done in {CPU_SECONDS} s; alone it took {seconds:.1} s", question.name);
        }
        Ok(())
    }

    /// The paths of the plans that the C and Java programs run.
    fn plans(&self) -> Vec<String> {
        let path = |name: &&str| self.folder.join("good").join(format!("{name}.json")).display().to_string();
        questions::PLANS.iter().map(path).collect()
    }

    /// Checks that Java prints the same numbers as C.
    fn check_java(&self, root: &Path, runs: &[Answered<'_>]) -> Outcome {
        let of_c = runs.iter().filter(|run| run.question.name == questions::C.name);
        let numbers = of_c.map(|run| (run.file.to_owned(), run.run.ending.to_string())).collect();
        jvm::check(root, &self.folder, &self.plans(), &numbers)
    }

    fn ask(&self, file: &str, question: &Question, cpu_seconds: u64, scratch: &Path) -> Outcome<Run> {
        let _ = fs::remove_dir_all(scratch);
        create(scratch)?;
        let files = self.folder.join("files");
        let (path, copy, graph) = (files.join(file), scratch.join(file), scratch.join(GRAPH));
        let file_len = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        for (word, from, to) in [("COPY", &path, &copy), ("GRAPH", &files.join(GRAPH), &graph)] {
            if question.words.contains(word) {
                fs::copy(from, to).map_err(|error| cannot("copy", from, &error))?;
            }
        }
        let good = self.folder.join("good");
        let word = |word: &str| match word {
            "FILE" => path.display().to_string(),
            "COPY" => copy.display().to_string(),
            "GRAPH" => graph.display().to_string(),
            "OUT" => scratch.join("out").display().to_string(),
            _ => match (word.strip_prefix("GOOD/"), word.strip_prefix("FILE@")) {
                (Some(name), _) => good.join(name).display().to_string(),
                (_, Some(base)) => format!("{}@{base}", path.display()),
                _ => word.to_owned(),
            },
        };
        let mut words: Vec<String> = question.words.split(' ').map(word).collect();
        if question.name == questions::C.name {
            words.extend(self.plans());
            let start = Start { program: &self.ask, words: &words, file_len, cpu_seconds, scratch };
            return Ok(start.output()?.into_numbers());
        }
        words.extend(questions::budget(question.words).iter().map(|word| (*word).to_owned()));
        Start { program: &self.program, words: &words, file_len, cpu_seconds, scratch }.run()
    }
}

/// Compares the endings with the table; with `BLESS`, writes the table instead.
fn check(root: &Path, runs: &[Answered<'_>], is_whole: bool) -> Outcome {
    let table = root.join(EXPECTED);
    let undocumented: Vec<&Answered<'_>> =
        runs.iter().filter(|run| !run.run.ending.is_documented()).collect();
    if std::env::var_os("BLESS").is_some() && is_whole {
        let text = expected::write(&endings(runs));
        fs::write(&table, text).map_err(|error| Failure(format!("cannot write {EXPECTED}: {error}")))?;
        return refuse("end with an undocumented exit code", &undocumented, |_| {
            "a documented exit code".into()
        });
    }
    let text =
        fs::read_to_string(&table).map_err(|error| Failure(format!("cannot read {EXPECTED}: {error}")))?;
    let expected = Expected::read(&text);
    let of =
        |run: &Answered<'_>| expected.of(run.file, run.question.name).unwrap_or("no such file").to_owned();
    let wrong: Vec<&Answered<'_>> = runs
        .iter()
        .filter(|run| !run.run.ending.is_documented() || of(run) != run.run.ending.to_string())
        .collect();
    refuse("end with an unexpected exit code", &wrong, of)
}

fn endings(runs: &[Answered<'_>]) -> Endings {
    let mut endings: Endings = BTreeMap::new();
    for run in runs {
        let answers = endings.entry(run.file.to_owned()).or_default();
        answers.insert(run.question.name.to_owned(), run.run.ending.to_string());
    }
    endings
}

fn refuse(what: &str, wrong: &[&Answered<'_>], expected: impl Fn(&Answered<'_>) -> String) -> Outcome {
    for answered in wrong.iter().take(SHOWN) {
        let Answered { file, question, run } = answered;
        let said = run.said.lines().last().unwrap_or("nothing on standard error");
        let expected = expected(answered);
        println!("  {file} {}: expected {expected}, got {}: {said}", question.name, run.ending);
    }
    match wrong.len() {
        0 => Ok(()),
        count => Err(Failure(format!(
            "{count} runs on hostile files {what}; if it is right, BLESS=1 cargo xtask hostile"
        ))),
    }
}

fn show_slow(runs: &[Answered<'_>]) {
    let mut runs: Vec<&Answered<'_>> = runs.iter().collect();
    runs.sort_by_key(|answered| std::cmp::Reverse(answered.run.time));
    for Answered { file, question, run } in runs.into_iter().take(SLOW) {
        println!("  {:6.0} ms  {file} {}", run.time.as_secs_f64() * 1e3, question.name);
    }
}

fn create(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))
}

//! `varvite-crash`: tests everything that writes or opens a graph file against power failures, kills, failing
//! disks, second writers and flipped bits.
//!
//! `cargo xtask crash` runs this program. The product does not link it.
//!
//! - `writers`: all kinds of writers, histories of writers, and the states that a file may be in.
//! - `checks`: checks on file systems in memory. `processes`: checks on the real file system, with other
//!   processes and threads.
//! - `breach`: broken promises. `extent`: the extent of a check. `planting`: known bugs, with which the
//!   checks must fail.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

mod breach;
mod checks;
mod extent;
mod planting;
mod processes;
mod writers;

use varvite_store::threads::processors;

use breach::{Breach, Outcome, without_panic};
use checks::flips::Which;
use checks::{damage, faults, flips, intruders, log_damage, names, power, readers, two_names};
use extent::Extent;
use processes::{hard_links, kill, real_disk};
use writers::history::History;

const USAGE: &str = "\
usage: varvite-crash [--plant BUG] COMMAND
  check                               every check once, small
  all STATES KILLS short|long PLANTED every check at length; PLANTED is told in the last line
  faults short|long                   failing disks alone
  power STATES [SEED]                 power failures alone
  flips short|long|FILE               flipped bits alone; FILE is a path below conformance/files
  kill ROUNDS [SEED]                  killed children alone
  links COMMITS [SEED]                threads at two names of one file alone
  bugs                                names of the bugs that can be planted
  once | loop KIND FILE SEED NUMBER   a child that writes";

/// The number of commits in the check of two names of one file.
const LINKS_SHORT: u64 = 2_000;
const LINKS_LONG: u64 = 50_000;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(breach) => {
            eprintln!("varvite-crash: {breach}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Outcome {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--plant", name, ref rest @ ..] => {
            planting::plant(name)?;
            let rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
            run(&rest)
        }
        ["bugs"] => {
            planting::bugs().iter().for_each(|(name, text)| println!("{name}:{text}"));
            Ok(())
        }
        ["check"] => check(Extent::Small),
        ["all", states, kills, form, planted] => all(states.parse()?, kills.parse()?, form, planted),
        ["faults", form] => faults::check(extent_of(form)).map(|said| println!("faults: {said}")),
        ["power", states] => lose_power(states.parse()?, 1).map(drop),
        ["power", states, seed] => lose_power(states.parse()?, seed.parse()?).map(drop),
        ["flips", form] => flip(form),
        ["kill", rounds] => kill(rounds.parse()?, std::process::id().into()).map(drop),
        ["kill", rounds, seed] => kill(rounds.parse()?, seed.parse()?).map(drop),
        ["links", commits] => link(commits.parse()?, std::process::id().into()),
        ["links", commits, seed] => link(commits.parse()?, seed.parse()?),
        ["once", kind, file, seed, number] => {
            kill::write_once(kind, Path::new(file), seed.parse()?, number.parse()?)
        }
        ["loop", kind, file, seed, first] => {
            kill::write_on(kind, Path::new(file), seed.parse()?, first.parse()?)
        }
        _ => Err(Breach::new(USAGE)),
    }
}

/// A check with its name.
type Check = (&'static str, fn(Extent) -> Outcome<String>);

/// The checks, in an order that finds the most breaches in the least time.
const CHECKS: [Check; 9] = [
    ("power", |_| power_small()),
    ("names", |_| names::check()),
    ("real disk", |_| real_disk::check()),
    ("readers", |_| readers::check()),
    ("damage", |_| damage::check()),
    ("log", |_| log_damage::check()),
    ("intruders", intruders::check),
    ("faults", faults::check),
    ("two names", two_names::check),
];

/// Runs each check once, up to the first breach. All processors share the checks. A process with a planted
/// bug uses only one thread, because several such processes run at the same time.
fn check(extent: Extent) -> Outcome {
    let threads = if planting::words().is_empty() { processors() } else { 1 };
    let (mut checks, first) = (CHECKS, planting::found_by());
    checks.sort_by_key(|(name, _)| Some(*name) != first);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((name, check)) = checks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let said = without_panic(|| check(extent)).map_err(|breach| {
                next.store(CHECKS.len(), Ordering::Relaxed);
                Breach::new(format!("{name}: {breach}"))
            })?;
            println!("{name}: {said} in {:.1} s", began.elapsed().as_secs_f64());
        }
        Ok(())
    };
    varvite_store::threads::run(threads, work).into_iter().collect()
}

fn power_small() -> Outcome<String> {
    let mut states = power::check_history(faults::every_writer())?;
    states += power::check_history(History::of(21, 6))?;
    Ok(format!("{states} states"))
}

fn lose_power(states: u64, seed: u64) -> Outcome<power::Tally> {
    let (began, tally) = (Instant::now(), power::Tally::default());
    power::run(states, seed, &tally);
    let [states, nested, histories, lost, unopenable, wrong] =
        [&tally.states, &tally.nested, &tally.histories, &tally.lost, &tally.unopenable, &tally.wrong]
            .map(|count| count.load(std::sync::atomic::Ordering::Relaxed));
    println!(
        "power: {states} states ({nested} after a second failure) of {histories} histories from seed {seed} in {:.0} s: \
         {lost} lost, {unopenable} unopenable, {wrong} of no commit",
        began.elapsed().as_secs_f64()
    );
    match tally.breaches() {
        0 => Ok(tally),
        breaches => Err(Breach::new(format!("{breaches} breaches"))),
    }
}

fn flip(form: &str) -> Outcome {
    let began = Instant::now();
    let which = match form {
        "short" => Which::Short,
        "long" => Which::All,
        name => Which::One(name),
    };
    let flips = flips::run(which)?;
    let flips::Flips { files, flips, detected, harmless, unread } = flips;
    let [flips, detected, harmless, unread] =
        [flips, detected, harmless, unread].map(|count| count.into_inner());
    println!(
        "flips: {flips} bits of {files} files in {:.0} s: {detected} found, {harmless} harmless, 0 wrong answers, 0 panics; {unread} more that nobody reads",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

fn kill(rounds: u64, seed: u64) -> Outcome<kill::Rounds> {
    let began = Instant::now();
    let all = kill::run(rounds, seed).map_err(|breach| breach.at(format!("seed {seed}")))?;
    println!(
        "kill: {} rounds from seed {seed} in {:.0} s: {} commits reported as done, none lost; {} more found done",
        all.rounds,
        began.elapsed().as_secs_f64(),
        all.done,
        all.untold
    );
    Ok(all)
}

fn link(commits: u64, seed: u64) -> Outcome {
    let began = Instant::now();
    let all = hard_links::run(commits, seed).map_err(|breach| breach.at(format!("seed {seed}")))?;
    println!(
        "links: {} commits at two names of one file reported as done from seed {seed} in {:.0} s, none lost; {} kept out",
        all.done,
        began.elapsed().as_secs_f64(),
        all.kept_out
    );
    Ok(())
}

fn extent_of(form: &str) -> Extent {
    if form == "long" { Extent::Whole } else { Extent::Small }
}

fn all(states: u64, kills: u64, form: &str, planted: &str) -> Outcome {
    let extent = extent_of(form);
    check(extent)?;
    flip(form)?;
    link(extent.choose(LINKS_SHORT, LINKS_LONG), std::process::id().into())?;
    let rounds = kill(kills, std::process::id().into())?.rounds;
    let tally = lose_power(states, 1)?;
    let states = tally.states.into_inner();
    println!(
        "crash: {states} states, 0 lost, 0 unopenable, planted bugs caught: {planted}, {rounds} kill rounds, 0 lost"
    );
    Ok(())
}

//! Tests of `varvite joern` and `varvite frontend`. Joern's classes are empty here, and a script takes the
//! place of Java. The tests check which commands are started, their arguments, and how their results are
//! used. `cargo xtask test-joern` starts the real Joern.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use varvite_testing::class_file::{ClassWriter, PUBLIC};

use crate::command::{Answer, CONTENT, Folder, command, listening, varvite};

const TESTED: [&str; 2] = ["io.joern.joern-cli-4.0.379.jar", "io.joern.flatgraph-core_3-0.1.15.jar"];
const POM: &str = include_str!("../../../bindings/java/pom.xml");
/// A script in place of Java that prints its arguments and options.
const ECHO: &str = "echo \"$@\"; echo \"options: $JDK_JAVA_OPTIONS\"; exit 7";
/// The same as [`ECHO`], but the script also writes a cache file if an option asks for it.
const LEARNING: &str = "for word; do case \"$word\" in -XX:AOTCacheOutput=*)
    [ -f \"$PWD/training.varvite\" ] && echo learned > \"${word#*=}\"; exit;; esac; done;
    echo \"$@\"; echo \"options: $JDK_JAVA_OPTIONS\"; exit 7";
/// A script that makes a graph, as a frontend does. For the overlays, it does nothing.
const FRONTEND: &str = "case \"$*\" in *Overlays*) ;; *) while [ $# -gt 1 ]; do
    [ \"$1\" = --output ] && cat CONTENT > \"$2\"; shift; done;; esac";

/// A folder with Joern's jars, Varvite's jar, and a script in place of Java.
struct Machine(Folder);

impl Machine {
    /// Makes a folder with these jars, and a script in place of Java.
    fn new(jars: [&str; 2], java: &str) -> Self {
        let machine = Self(Folder::new());
        let replaced =
            ["flatgraph/Graph.class", "flatgraph/Accessors.class", "flatgraph/DiffGraphApplier.class"];
        let flatgraph = [&replaced[..], &["META-INF/MANIFEST.MF", "flatgraph/Graph.tasty"]].concat();
        let ours = [&replaced[..], &["varvite/Graph.class"]].concat();
        machine.write(&format!("joern/lib/{}", jars[0]), &archive_of(&["io/joern/A.class"]));
        machine.write(&format!("joern/lib/{}", jars[1]), &archive_of(&flatgraph));
        let frontend = archive_of(&["io/joern/c2cpg/Main.class"]);
        machine.write("joern/frontends/c2cpg/lib/io.joern.c2cpg-4.0.379.jar", &frontend);
        machine.write("varvite-joern.jar", &archive_of(&ours));
        machine.write("java/release", b"JAVA_VERSION=\"25.0.3\"\n");
        machine.write("source/main.c", b"int main() { return 0; }\n");
        let script = java.replace("CONTENT", CONTENT);
        machine.write("java/bin/java", format!("#!/bin/sh\n{script}\n").as_bytes());
        fs::set_permissions(machine.path("java/bin/java"), fs::Permissions::from_mode(0o755)).unwrap();
        machine
    }

    fn path(&self, name: &str) -> String {
        self.0.path(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn command(&self, words: &[&str]) -> Command {
        self.equipped(command(), words)
    }

    /// Gives a command its arguments, and an environment in which it finds the programs of this folder.
    fn equipped(&self, mut command: Command, words: &[&str]) -> Command {
        command.args(words).env("JOERN_HOME", self.path("joern")).env("JAVA_HOME", self.path("java"));
        command.env("VARVITE_JOERN_JAR", self.path("varvite-joern.jar"));
        command.env("XDG_CACHE_HOME", self.path("cache"));
        for name in ["JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "VARVITE_JOERN_NO_AOT"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Answer {
        Answer::of(self.command(words).output().unwrap())
    }

    fn frontend(&self, more: &[&str]) -> Answer {
        let (source, output) = (self.path("source"), self.path("out/code.varvite"));
        fs::create_dir_all(self.path("out")).unwrap();
        self.run(&[&["frontend", "c2cpg", &source, "-o", &output][..], more].concat())
    }

    /// The names of the files in the folder of the new graph.
    fn out(&self) -> Vec<String> {
        self.names("out")
    }

    /// The names of Java's caches in the user's cache folder.
    fn caches(&self) -> Vec<String> {
        let mut names = self.names("cache/varvite/joern");
        names.retain(|name| name.contains(".aot"));
        names
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// A ZIP archive of files: of classes without members, and of others, whose content is their name.
fn archive_of(names: &[&str]) -> Vec<u8> {
    let content = |name: &str| match name.strip_suffix(".class") {
        Some(class) => class_of(class).bytes(),
        None => name.as_bytes().to_vec(),
    };
    archive(&names.iter().map(|name| (*name, content(name))).collect::<Vec<_>>())
}

fn class_of(name: &str) -> ClassWriter {
    ClassWriter::new(PUBLIC, name, "java/lang/Object")
}

/// A ZIP archive of files that are not compressed.
fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let len = u32::try_from(content.len()).unwrap().to_le_bytes();
        let name_len = u16::try_from(name.len()).unwrap().to_le_bytes();
        // In place of a checksum, which nothing checks here, a number that differs if the content does.
        let sum = content.iter().fold(0_u32, |sum, byte| sum.wrapping_mul(31) + u32::from(*byte));
        let start = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        let common = [&start[..], &sum.to_le_bytes(), &len, &len, &name_len].concat();
        directory.extend([&b"PK\x01\x02\x14\0"[..], &common, &[0; 12]].concat());
        directory.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend([&b"PK\x03\x04"[..], &common, &[0; 2], name.as_bytes(), content].concat());
    }
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let (len, place) = (directory.len(), bytes.len());
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
    [len, place].iter().for_each(|number| bytes.extend(u32::try_from(*number).unwrap().to_le_bytes()));
    bytes.extend([0; 2]);
    bytes
}

#[test]
fn the_versions_that_are_known_are_those_of_the_judge() {
    for version in ["<joern.version>4.0.379<", "<flatgraph.version>0.1.15<"] {
        assert!(POM.contains(version), "{version}");
    }
}

#[test]
fn joern_is_started_with_one_jar_in_the_place_of_flatgraph() {
    let machine = Machine::new(TESTED, ECHO);
    let answer = machine.run(&["joern", "--heap", "2G", "--", "--nocolors", "-J-Xss8m", "-Da=b"]);
    let errors = answer.errors();
    assert!(
        errors.starts_with("Joern 4.0.379 with flatgraph 0.1.15 in ") && errors.contains("; Java 25 in "),
        "{errors}"
    );
    let (status, output) = answer.status_and_output();
    let said = String::from_utf8(output).unwrap();
    assert_eq!(status, Some(7), "{said}");
    let words: Vec<&str> = said.lines().next().unwrap().split(' ').collect();
    let class_path = words[words.iter().position(|word| *word == "-cp").unwrap() + 1];
    let jars: Vec<&str> = class_path.split(':').map(|jar| jar.rsplit('/').next().unwrap()).collect();
    assert!(jars[0].starts_with("flatgraph-core-0.1.15-varvite-"), "{class_path}");
    assert_eq!(jars[1..], ["io.joern.joern-cli-4.0.379.jar"]);
    assert_eq!(&words[words.len() - 2..], ["io.joern.joerncli.console.ReplBridge", "--nocolors"]);
    for option in ["-Xmx2097152k", "-Xss8m", "-Da=b", "--enable-native-access=ALL-UNNAMED"] {
        assert!(words.contains(&option), "{option} in {said}");
    }
    let jar = fs::read(class_path.split(':').next().unwrap()).unwrap();
    for name in ["flatgraph/Graph.tasty", "varvite/Graph.class"] {
        assert!(jar.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
}

#[test]
fn another_program_or_class_is_started_instead() {
    let machine = Machine::new(TESTED, ECHO);
    let started =
        |program: &str| machine.run(&["joern", "--program", program, "--", "a"]).output().to_owned();
    assert!(started("joern-export").contains(" io.joern.joerncli.JoernExport a\n"));
    assert!(started("org.example.Main").contains(" org.example.Main a\n"));
    machine
        .run(&["joern", "--program", "joern-expert"])
        .fails(2, &["\"joern-expert\"", "joern-export, joern-flow"]);
}

#[test]
fn options_reach_the_java_that_a_script_gets() {
    let machine = Machine::new(TESTED, ECHO);
    let answer = machine.run(&["joern", "--heap", "1G", "--", "--script=q.sc"]);
    let said = answer.output();
    assert!(!said.lines().next().unwrap().contains("-Xmx"), "{said}");
    assert!(
        said.contains("options: --enable-native-access=ALL-UNNAMED") && said.contains("-Xmx1048576k"),
        "{said}"
    );
}

#[test]
fn what_java_learns_is_kept_from_the_second_start_on() {
    let machine = Machine::new(TESTED, LEARNING);
    let start = |words: &[&str]| {
        let answer = machine.run(&[&["joern"], words].concat());
        (
            answer.errors().contains("creating Java's ahead-of-time cache"),
            answer.output().contains(" -XX:AOTCache="),
        )
    };
    assert_eq!(start(&[]), (false, false));
    assert_eq!(start(&["--no-aot"]), (false, false));
    assert_eq!(start(&["--", "-J-Xshare:off"]), (false, false));
    assert_eq!(start(&["--", "--nocolors"]), (true, true));
    assert_eq!(start(&[]), (false, true));
    assert_eq!(start(&["--no-aot"]), (false, false));
    let mut off = machine.command(&["joern"]);
    let answer = Answer::of(off.env("VARVITE_JOERN_NO_AOT", "1").output().unwrap());
    assert!(!answer.output().contains("AOT"));
    let script = machine.run(&["joern", "--", "--script", "q.sc"]);
    assert!(script.output().contains(".aot -Xlog:aot=off"), "{}", script.output());
    // After a jar was replaced, Java would not accept the cache that was made with the old jar.
    machine.write("joern/lib/io.joern.joern-cli-4.0.379.jar", &archive_of(&["io/joern/Other.class"]));
    assert_eq!(start(&[]), (true, true));
    assert_eq!(machine.caches().len(), 1, "{:?}", machine.caches());
    machine.write("java/release", b"JAVA_VERSION=\"24.0.1\"\n");
    assert_eq!(start(&[]), (false, false));
}

#[test]
fn where_java_learns_nothing_joern_starts_without() {
    let machine =
        Machine::new(TESTED, "case \"$*\" in *Training*) echo 'no room'; exit 3;; esac; echo \"$@\"; exit 7");
    machine.run(&["joern"]);
    let answer = machine.run(&["joern"]);
    let errors = answer.errors();
    assert!(
        errors.contains("no room\nJava's ahead-of-time cache for Joern could not be created"),
        "{errors}"
    );
    assert_eq!(answer.status_and_output().0, Some(7));
    let answer = machine.run(&["joern"]);
    assert!(!answer.errors().contains("cache") && !answer.output().contains("AOT"), "{}", answer.errors());
    assert_eq!(machine.caches().len(), 1, "{:?}", machine.caches());
}

#[test]
fn changes_are_kept_where_that_is_asked_for() {
    let machine = Machine::new(TESTED, ECHO);
    let said = |words: &[&str]| machine.run(words).output().to_owned();
    assert!(!said(&["joern"]).contains("varvite.joern"));
    let with_shell = said(&["joern", "--persist"]);
    assert!(with_shell.contains(" -Dvarvite.joern.persist=true "));
    let started = " varvite.joern.start.Start io.joern.joerncli.console.ReplBridge\n";
    assert!(with_shell.contains(started), "{with_shell}");
    let words = ["joern", "--persist", "--layer", "data flow", "--no-lock", "--", "--script", "q.sc"];
    let options =
        "-Dvarvite.joern.persist=true \"-Dvarvite.joern.layer=data flow\" -Dvarvite.joern.nolock=true";
    assert!(said(&words).contains(options));
    machine.run(&["joern", "--layer", "x"]).fails(2, &["--persist"]);
}

#[test]
fn a_version_that_was_not_tested_is_told_once_if_it_fits() {
    let other = ["io.joern.joern-cli-4.0.500.jar", "io.joern.flatgraph-core_3-0.1.32.jar"];
    let machine = Machine::new(other, ECHO);
    let says = |words: &[&str]| machine.run(words).errors().contains("but was not tested; Joern 4.0.384");
    assert_eq!([says(&["joern"]), says(&["joern"])], [true, false]);
    // Another jar may need other members.
    machine.write("joern/lib/more.jar", &archive_of(&["io/joern/More.class"]));
    assert_eq!([says(&["joern"]), says(&["joern"])], [true, false]);
    assert!(!Machine::new(TESTED, ECHO).run(&["joern"]).errors().contains("not tested"));
}

#[test]
fn a_member_that_joern_needs_and_varvite_lacks_is_named() {
    let machine = Machine::new(TESTED, ECHO);
    let caller = class_of("io/joern/A").calls("flatgraph/Graph", "vanish", "(I)Lflatgraph/GNode;");
    machine.write(&format!("joern/lib/{}", TESTED[0]), &archive(&[("io/joern/A.class", caller.bytes())]));
    let says = [
        "Joern 4.0.379 with flatgraph 0.1.15 in ",
        "io.joern.A in io.joern.joern-cli-4.0.379.jar needs flatgraph.GNode flatgraph.Graph.vanish(int)",
        "--anyway",
    ];
    let jar = machine.path("out.jar");
    for words in [&["joern"][..], &["joern"], &["joern", "--write-jar", &jar]] {
        let answer = machine.run(words);
        assert_eq!(answer.errors().lines().count(), 1, "{}", answer.errors());
        answer.fails(3, &says);
    }
    assert!(!Path::new(&jar).exists());
    for anyway in ["--anyway", "--untested"] {
        assert_eq!(machine.run(&["joern", anyway]).status_and_output().0, Some(7));
    }
    // A frontend runs without Varvite's classes.
    assert!(!machine.frontend(&[]).errors().contains("vanish"));
}

#[test]
fn a_member_that_varvite_needs_and_joern_lacks_is_named() {
    let machine = Machine::new(TESTED, ECHO);
    let replaced = ["flatgraph/Graph", "flatgraph/Accessors", "flatgraph/DiffGraphApplier"];
    let mut classes = Vec::from(replaced.map(|name| (name, class_of(name))));
    let overlays = "varvite/joern/start/Overlays";
    classes.push((overlays, class_of(overlays).calls("io/joern/A", "overlays", "()V")));
    let files = classes.into_iter().map(|(name, class)| (format!("{name}.class"), class.bytes()));
    let files: Vec<(String, Vec<u8>)> = files.collect();
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
    machine.write("varvite-joern.jar", &archive(&files));
    machine
        .frontend(&[])
        .fails(3, &["Varvite's varvite.joern.start.Overlays needs void io.joern.A.overlays()"]);
    assert_eq!(machine.run(&["joern"]).status_and_output().0, Some(7));
}

#[test]
fn a_damaged_class_is_told_with_its_jar() {
    let machine = Machine::new(TESTED, ECHO);
    let jar = machine.path(&format!("joern/lib/{}", TESTED[0]));
    for content in [&b"flatgraph/Graph"[..], b"\xCA\xFE\xBA\xBE\0\0\0\x3D\xFF\xFFflatgraph/"] {
        fs::write(&jar, archive(&[("io/joern/A.class", content.to_vec())])).unwrap();
        machine.run(&["joern"]).fails(3, &[&jar, "a class file in this jar is damaged", "--anyway"]);
    }
    assert_eq!(machine.run(&["joern", "--anyway"]).status_and_output().0, Some(7));
}

#[test]
fn a_joern_without_flatgraph_is_refused() {
    let old = ["io.joern.joern-cli-2.0.392.jar", "io.shiftleft.overflowdb-core-1.192.jar"];
    Machine::new(old, ECHO).run(&["joern"]).fails(3, &["Joern 2.0.392 has no flatgraph-core-VERSION.jar"]);
}

#[test]
fn what_is_missing_is_named() {
    let machine = Machine::new(TESTED, ECHO);
    let empty = machine.path("empty");
    fs::create_dir(&empty).unwrap();
    machine.run(&["joern", "--joern", &empty]).fails(3, &[&empty, "not a folder of Joern"]);
    let missing = machine.path("nothing.jar");
    machine.run(&["joern", "--jar", &missing]).fails(3, &["cannot read", &missing]);
    let mut alone = machine.command(&["joern"]);
    let answer = Answer::of(alone.env_remove("VARVITE_JOERN_JAR").output().unwrap());
    answer.fails(3, &["varvite-joern.jar is not beside this program", "make joern-jar"]);
    let mut nowhere = machine.command(&["joern"]);
    nowhere.env_remove("JOERN_HOME").env("PATH", &empty).env("HOME", &empty);
    Answer::of(nowhere.output().unwrap()).fails(3, &["Joern not found", "JOERN_HOME"]);
}

#[test]
fn a_jar_that_is_none_or_another_is_refused() {
    let machine = Machine::new(TESTED, ECHO);
    let jar = machine.path("varvite-joern.jar");
    fs::write(&jar, "no jar").unwrap();
    machine.run(&["joern"]).fails(3, &[&jar, "not a jar, or a damaged one"]);
    fs::write(&jar, archive_of(&["varvite/Graph.class"])).unwrap();
    machine.run(&["joern"]).fails(3, &[&jar, "it is not flatgraph-core"]);
}

#[test]
fn a_jar_for_a_class_path_of_one_s_own_is_written() {
    let machine = Machine::new(TESTED, ECHO);
    let jar = machine.path("flatgraph-core.jar");
    let words = ["joern", "--write-jar", &jar];
    assert!(machine.run(&words).text().contains("in place of flatgraph-core 0.1.15"));
    let first = fs::read(&jar).unwrap();
    machine.run(&words).fails(3, &["exists already", "--force"]);
    machine.run(&[&words[..], &["--force"]].concat()).text();
    assert_eq!(fs::read(&jar).unwrap(), first);
    // Only the result of comparing the members is kept.
    let kept = machine.names("cache/varvite/joern");
    assert!(kept.len() == 1 && kept[0].starts_with("members-"), "{kept:?}");
}

#[test]
fn a_frontend_makes_a_graph_and_leaves_nothing_else() {
    let machine = Machine::new(TESTED, FRONTEND);
    let answer = machine.frontend(&["--", "--define", "A=1"]);
    let errors = answer.errors();
    assert!(errors.contains("\nc2cpg: ") && errors.contains("\noverlays: "), "{errors}");
    assert!(answer.output().contains("code.varvite: "), "{}", answer.output());
    assert_eq!(machine.out(), ["code.varvite"]);
    varvite(&["verify", &machine.path("out/code.varvite")]).text();
    let answer = machine.frontend(&[]);
    answer.fails(3, &["exists already", "--force"]);
    assert!(machine.frontend(&["--force"]).output().contains("code.varvite: "));
}

#[test]
fn a_frontend_adds_the_sources_that_it_read_or_makes_no_graph() {
    let shapes = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");
    let machine = Machine::new(TESTED, &FRONTEND.replace("CONTENT", &format!("{shapes}/shapes.cpg.bin")));
    let (graph, other) = (machine.path("out/code.varvite"), machine.path("source"));
    let errors = machine.frontend(&["--source", &other]).errors();
    assert!(errors.contains("the files do not match the graph"), "{errors}");
    assert_eq!(machine.out(), [""; 0]);
    let errors = machine.frontend(&["--source", shapes]).errors();
    assert!(errors.contains("layer source: texts of 4 of 6 FILEs"), "{errors}");
    assert_eq!(machine.out(), ["code.varvite"]);
    assert!(varvite(&["source", &graph, "sum_of_squares"]).text().starts_with("squares.c:10"));
}

#[test]
fn words_for_the_frontend_follow_the_source() {
    let machine = Machine::new(TESTED, "echo \"$@\" >&2; exit 1");
    let errors = machine.frontend(&["--", "--define", "A=1"]).errors();
    let source = machine.path("source");
    let out = machine.path("out/.code.varvite.cpg.bin");
    assert!(
        errors.contains(&format!(" io.joern.c2cpg.Main {source} --output {out} --define A=1\n")),
        "{errors}"
    );
    assert!(errors.contains("-XX:+ExitOnOutOfMemoryError"), "{errors}");
}

#[test]
fn a_frontend_that_fails_is_told_with_its_last_lines() {
    let fails = |java: &str| {
        let machine = Machine::new(TESTED, java);
        let errors = machine.frontend(&[]).errors();
        assert!(machine.out().is_empty(), "{:?}", machine.out());
        errors
    };
    let errors = fails("seq 1 100; echo 'cannot parse' >&2; exit 9");
    assert!(errors.ends_with("100\ncannot parse\nvarvite: c2cpg failed with exit status: 9\n"), "{errors}");
    assert!(!errors.contains("\n80\n"), "{errors}");
    let errors = fails("echo Terminating due to java.lang.OutOfMemoryError: Java heap space; exit 3");
    assert!(errors.ends_with("it ran out of heap; raise the limit, as with --heap 16G\n"), "{errors}");
    assert!(fails("exit 0").contains("c2cpg succeeded but wrote no graph"));
    let overlays = format!("{FRONTEND}; case \"$*\" in *Overlays*) exit 4;; esac");
    assert!(fails(&overlays).contains("overlays failed with exit status: 4"));
    let no_graph = FRONTEND.replace("cat CONTENT", "echo nonsense");
    assert!(fails(&no_graph).contains(".code.varvite.cpg.bin"));
}

#[test]
fn a_frontend_or_source_that_is_not_there_is_refused() {
    let machine = Machine::new(TESTED, FRONTEND);
    let (source, output) = (machine.path("source"), machine.path("code.varvite"));
    machine
        .run(&["frontend", "rust2cpg", &source, "-o", &output])
        .fails(2, &["\"rust2cpg\"", "it has c2cpg"]);
    machine
        .run(&["frontend", "c2cpg", "/nothing", "-o", &output])
        .fails(3, &["/nothing", "no such file or folder"]);
}

#[test]
fn a_frontend_ends_when_it_is_told_to_stop() {
    let machine = Machine::new(TESTED, "exit 0");
    let started = machine.path("started");
    let script = format!("#!/bin/sh\necho $$ > {started}.part; mv {started}.part {started}; exec sleep 60\n");
    fs::write(machine.path("java/bin/java"), script).unwrap();
    fs::create_dir(machine.path("out")).unwrap();
    let (source, output) = (machine.path("source"), machine.path("out/code.varvite"));
    let mut frontend = machine.equipped(listening(), &["frontend", "c2cpg", &source, "-o", &output]);
    let child = frontend.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let since = Instant::now();
    while !Path::new(&started).exists() && since.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(machine.out(), [".code.varvite.cpg.bin", ".code.varvite.partial"]);
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let answer = Answer::of(child.wait_with_output().unwrap());
    assert!(answer.errors().ends_with("stopped; no file was changed\n"), "{}", answer.errors());
    assert_eq!(answer.status_and_output().0, Some(130));
    assert!(machine.out().is_empty());
    let process = fs::read_to_string(&started).unwrap();
    assert!(!Path::new(&format!("/proc/{}", process.trim())).exists());
}

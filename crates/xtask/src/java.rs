//! Builds the Java parts with Maven and the JDK that [`jdk`] finds, and starts them.
//!
//! There are three parts: the binding, and two peers of the benchmark. The peer flatgraph loads a graph with
//! the original library, and can write the facts that it finds. The peer Joern uses the same library through
//! Joern's steps.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::generated;
use crate::jdk::{self, Jdk};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The folder of the binding, relative to the root.
const BINDING: &str = "bindings/java";
/// The default number of graphs that `soak-java` opens and closes.
const SOAK_CYCLES: &str = "10000";
/// The number of changed graphs for which the tests compare answers with those of the reference
/// implementation.
const HISTORIES: &str = "60";
/// JVM options that make Joern's passes repeatable: by default the hash of a node depends on the identity of
/// its graph, and thread pools finish in any order.
pub(crate) const REPEATABLE: [&str; 3] =
    ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-XX:ActiveProcessorCount=1"];
/// The folders of classes in each module that go into `varvite-joern.jar`: all except module descriptors.
const JOERN_JAR: [(&str, &[&str]); 3] =
    [("joern", &["flatgraph", "varvite"]), ("varvite", &["varvite"]), ("ffi", &["varvite", "META-INF"])];
/// The number of levels of the tree in tests of walks. The tree has 87,381 nodes.
const TREE_LEVELS: &str = "4";
/// The folder of the peers, relative to the root; each peer has a subfolder with its name.
const PEERS: &str = "bench/peers";
const FLATGRAPH: &str = "flatgraph";
const JOERN: &str = "joern";
/// The folder of the peers in the benchmark of walks. It is separate because Neo4j is licensed under the GPL.
const WALKS: &str = "bench/peers/walks";
const NEO4J: &str = "neo4j";
/// Varvite's program for the benchmark of walks, relative to the folder of the binding.
const OURS_IN_WALKS: &str = "../../bench/peers/walks/varvite";

/// Builds all Java parts.
pub(crate) fn build(root: &Path) -> Outcome {
    let jdk = jdk::find()?;
    natives(root, Profile::Release)?;
    generated::write(root, Profile::Release)?;
    binding(&jdk, root, &["package", "-DskipTests"])?;
    Peer::build_all(root).map(drop)
}

/// Builds the benchmarks of the binding with all peers, and returns the JDK that runs them.
pub(crate) fn build_benchmarks(root: &Path) -> Outcome<Jdk> {
    let jdk = jdk::find()?;
    natives(root, Profile::Release)?;
    generated::write(root, Profile::Release)?;
    binding(&jdk, root, &["package", "-DskipTests", "-Pbenchmarks"])?;
    Ok(jdk)
}

/// Builds all Java programs of the benchmark of walks, and returns the JDK that runs them.
pub(crate) fn build_walks(root: &Path) -> Outcome<Jdk> {
    let jdk = jdk::find()?;
    maven(&jdk, &root.join(WALKS), &["package"])?;
    natives(root, Profile::Release)?;
    binding(&jdk, root, &["package", "-DskipTests", "-Pwalks", "-pl", OURS_IN_WALKS, "-am"])?;
    Ok(jdk)
}

/// Builds the peer for Neo4j, and returns the command that runs one of its classes. The caller adds
/// arguments.
pub(crate) fn neo4j(root: &Path, class: &str) -> Outcome<Command> {
    let (jdk, folder) = (jdk::find()?, root.join(WALKS));
    maven(&jdk, &folder, &["package", "-pl", NEO4J, "-am"])?;
    let mut java = Command::new(jdk.program("java"));
    java.arg("--enable-native-access=ALL-UNNAMED").args(jdk.quiet_flag());
    // Neo4j reads private fields of the JDK's classes.
    java.args(
        ["java.base/java.nio", "java.base/java.lang"].map(|part| format!("--add-opens={part}=ALL-UNNAMED")),
    );
    let target = folder.join(NEO4J).join("target");
    java.arg("-cp").arg(format!("{0}/classes:{0}/lib/*", target.display())).arg(class);
    Ok(java)
}

/// Builds the binding, and runs its tests.
pub(crate) fn test(root: &Path) -> Outcome {
    natives(root, Profile::Dev)?;
    generated::write(root, Profile::Dev)?;
    let (histories, walks) = (target_dir(root).join("java/histories"), target_dir(root).join("java/walks"));
    written(root, &histories, &walks)?;
    let histories = format!("-Dvarvite.histories={}", histories.display());
    let walks = format!("-Dvarvite.walks={}", walks.display());
    binding(&jdk::find()?, root, &["test", &histories, &walks])
}

/// Runs only the tests of cases that must have the same answers in all languages.
pub(crate) fn conformance(root: &Path) -> Outcome {
    natives(root, Profile::Dev)?;
    generated::write(root, Profile::Dev)?;
    let classes =
        ["-Dtest=CasesTest,ConformanceTest,CodeQuestionsTest", "-Dsurefire.failIfNoSpecifiedTests=false"];
    binding(&jdk::find()?, root, &["test", classes[0], classes[1], "-pl", "varvite,ffi", "-am"])
}

/// Writes graphs that were changed by random diffs, and writes walks, both with the reference
/// implementation's answers.
fn written(root: &Path, histories: &Path, walks: &Path) -> Outcome {
    let mut test = process::cargo();
    // No package is named, for the reason given at [`built::build`].
    test.current_dir(root).args(["test", "--quiet", "--workspace", "--test", "main", "--"]);
    test.args(["histories_are_written", "walks_are_written"]);
    test.env("VARVITE_HISTORIES", histories).env("VARVITE_HISTORY_COUNT", HISTORIES);
    test.env("VARVITE_WALKS", walks).env("VARVITE_TREE_LEVELS", TREE_LEVELS);
    process::run(&mut test, "see rustup.rs")
}

/// Builds the native library, and returns the command that runs a class from the tests of the module `ffi`.
/// `flags` are passed to the JVM.
pub(crate) fn of_tests(root: &Path, flags: &[&str], class: &str) -> Outcome<Command> {
    let (jdk, folder) = (jdk::find()?, root.join(BINDING));
    natives(root, Profile::Dev)?;
    binding(&jdk, root, &["test-compile", "-pl", "ffi", "-am"])?;
    let folders = ["varvite/target/classes", "ffi/target/classes", "ffi/target/test-classes"];
    let class_path: Vec<String> =
        folders.iter().map(|part| folder.join(part).display().to_string()).collect();
    let mut java = Command::new(jdk.program("java"));
    java.args(flags).arg("--enable-native-access=ALL-UNNAMED").arg("-cp").arg(class_path.join(":"));
    java.arg(format!("-Djava.library.path={}", natives_folder(root).display())).arg(class);
    Ok(java)
}

/// Builds Varvite's classes, which come before flatgraph's on the class path, and the judge, a program whose
/// output is compared with and without these classes.
pub(crate) fn joern(root: &Path) -> Outcome<JoernPaths> {
    joern_of(root, Profile::Dev)
}

/// Builds the same as [`joern`], with a native library in the given profile.
pub(crate) fn joern_of(root: &Path, profile: Profile) -> Outcome<JoernPaths> {
    let jdk = jdk::find()?;
    natives(root, profile)?;
    binding(&jdk, root, &["process-classes", "-Pjoern", "-pl", "ffi,joern,joern/judge", "-am"])?;
    Ok(JoernPaths::new(jdk, root))
}

/// Builds the same as [`joern`], and Joern's own tests.
pub(crate) fn joern_suites(root: &Path) -> Outcome<JoernPaths> {
    let jdk = jdk::find()?;
    natives(root, Profile::Dev)?;
    binding(&jdk, root, &["process-test-classes", "-Pjoern", "-pl", "ffi,joern,joern/judge", "-am"])?;
    Ok(JoernPaths::new(jdk, root))
}

/// Makes `varvite-joern.jar`: Varvite's classes for Joern with all their dependencies, among them the native
/// library of this platform. The same classes give the same bytes.
pub(crate) fn joern_jar(root: &Path, profile: Profile) -> Outcome<PathBuf> {
    let jdk = jdk::find()?;
    natives(root, profile)?;
    binding(&jdk, root, &["process-classes", "-Pjoern", "-pl", "ffi,joern", "-am"])?;
    let folder = target_dir(root).join("joern");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let path = folder.join("varvite-joern.jar");
    let mut jar = Command::new(jdk.program("jar"));
    jar.args(["--create", "--date", "2026-01-01T00:00:00Z", "--main-class", "varvite.joern.start.Start"]);
    jar.arg("--file").arg(&path);
    for (module, parts) in JOERN_JAR {
        let classes = root.join(BINDING).join(module).join("target/classes");
        parts.iter().for_each(|part| {
            jar.arg("-C").arg(&classes).arg(part);
        });
    }
    jar.arg("-C").arg(natives_root(root)).arg("varvite");
    process::run(&mut jar, "see cargo xtask jdk")?;
    Ok(path)
}

/// A version of Joern, with the versions of the libraries with which Maven puts an installation together.
pub(crate) struct JoernVersion {
    pub(crate) joern: &'static str,
    pub(crate) cpg: &'static str,
    pub(crate) scala: &'static str,
    /// The parts of Joern that Maven Central has of this version, besides the library for queries. Each is a
    /// profile of Maven.
    pub(crate) parts: &'static [&'static str],
}

/// Puts together an installation of a version of Joern in a folder. It includes a part of the judge.
pub(crate) fn joern_version(root: &Path, version: &JoernVersion, folder: &Path) -> Outcome<JoernPaths> {
    let jdk = jdk::find()?;
    let properties = [
        format!("-Dfolder={}", folder.display()),
        format!("-Djoern.version={}", version.joern),
        format!("-Dcpg.version={}", version.cpg),
        format!("-Djoern.scala.version={}", version.scala),
    ];
    let profiles: Vec<String> = version.parts.iter().map(|part| format!("-P{part}")).collect();
    let words = ["package"].into_iter().chain(properties.iter().chain(&profiles).map(String::as_str));
    maven(&jdk, &root.join(BINDING).join("joern/versions"), &words.collect::<Vec<_>>())?;
    Ok(JoernPaths { lib: folder.join("lib"), ..JoernPaths::new(jdk, root) })
}

/// Knows the paths of Joern's jars from Maven. Makes commands that run these jars, with or without Varvite's
/// classes before them on the class path.
pub(crate) struct JoernPaths {
    jdk: Jdk,
    root: PathBuf,
    lib: PathBuf,
}

impl JoernPaths {
    fn new(jdk: Jdk, root: &Path) -> Self {
        Self { jdk, root: root.to_owned(), lib: root.join(BINDING).join("joern/judge/target/lib") }
    }

    /// The command that runs the judge (the program whose output is compared) on flatgraph alone. The caller
    /// adds arguments.
    pub(crate) fn flatgraph(&self) -> Command {
        self.judge(&[])
    }

    /// The command that runs the judge (the program whose output is compared) on Varvite's classes.
    pub(crate) fn ours(&self) -> Command {
        self.judge(&self.modules(&["joern", "varvite", "ffi"]))
    }

    /// The same as [`Self::ours`], but without a native library.
    pub(crate) fn ours_without_engine(&self) -> Command {
        self.judge(&self.modules(&["joern", "varvite"]))
    }

    /// The same as [`Self::ours`], with a further jar between Varvite's classes and Joern's jars.
    pub(crate) fn ours_after(&self, jar: &Path) -> Command {
        let mut class_path = self.modules(&["joern", "varvite", "ffi"]);
        class_path.push(jar.to_owned());
        self.judge(&class_path)
    }

    fn modules(&self, modules: &[&str]) -> Vec<PathBuf> {
        let binding = self.root.join(BINDING);
        modules.iter().map(|module| binding.join(module).join("target/classes")).collect()
    }

    /// The command that runs the judge on flatgraph or on Varvite's classes for measurements: with all
    /// processors, and without the options [`REPEATABLE`].
    pub(crate) fn measured(&self, ours: bool) -> Command {
        let modules = if ours { self.modules(&["joern", "varvite", "ffi"]) } else { Vec::new() };
        self.judge_with(&modules, &[])
    }

    fn judge(&self, first: &[PathBuf]) -> Command {
        self.judge_with(first, &REPEATABLE)
    }

    fn judge_with(&self, first: &[PathBuf], options: &[&str]) -> Command {
        let judge = self.root.join(BINDING).join("joern/judge/target/classes");
        let class_path = [first, &[judge, self.lib().join("*")]].concat();
        let mut java = self.java(&class_path);
        java.args(options).arg("varvite.joern.judge.Main");
        java
    }

    /// The path of the jar with the tests of a part of Joern.
    pub(crate) fn suites_of(&self, part: &str) -> Outcome<PathBuf> {
        let folder = self.lib().with_file_name("suites");
        let files = fs::read_dir(&folder).map_err(|error| cannot("read", &folder, &error))?;
        let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let jar = names.find(|name| name.starts_with(&format!("{part}_3-")) && name.ends_with("-tests.jar"));
        let missing = || Failure(format!("{} has no tests of {part}", folder.display()));
        Ok(folder.join(jar.ok_or_else(missing)?))
    }

    /// The command that runs the tests in a jar on flatgraph; or, if `mapped`, on Varvite's classes with
    /// graphs that are written to files.
    pub(crate) fn suites(&self, tests: &Path, mapped: bool, verdicts: &Path) -> Command {
        let target = self.root.join(BINDING).join("joern/judge/target");
        let mut class_path = if mapped { self.modules(&["joern", "varvite", "ffi"]) } else { Vec::new() };
        if mapped {
            class_path.push(self.root.join(BINDING).join("joern/target/test-classes"));
        }
        class_path.extend([target.join("test-classes"), target.join("suites/*"), self.lib().join("*")]);
        let mut java = self.java(&class_path);
        java.args(REPEATABLE).arg("-Xmx2g").arg(format!("-Dvarvite.verdicts={}", verdicts.display()));
        java.args(mapped.then_some("flatgraph.ThroughFiles")).arg("org.scalatest.tools.Runner");
        java.args(["-C", "varvite.joern.judge.Verdicts", "-R"]).arg(tests);
        java
    }

    /// The command for one of Joern's programs, without Varvite's classes and with options for Java.
    pub(crate) fn installed(&self, options: &[&str], class: &str) -> Command {
        let mut java = self.java(&[self.lib().join("*")]);
        java.args(options).arg(class);
        self.install(&mut java);
        java
    }

    /// The command that starts a JVM with a class path. The caller adds the class.
    pub(crate) fn java(&self, class_path: &[PathBuf]) -> Command {
        let class_path: Vec<String> = class_path.iter().map(|part| part.display().to_string()).collect();
        let mut java = Command::new(self.jdk.program("java"));
        java.arg("--enable-native-access=ALL-UNNAMED").args(self.jdk.quiet_flag());
        java.arg(format!("-Djava.library.path={}", natives_folder(&self.root).display()));
        java.arg("-Dslf4j.internal.verbosity=ERROR");
        java.arg("-cp").arg(class_path.join(":"));
        java
    }

    /// The paths of all of Joern's jars.
    pub(crate) fn jars(&self) -> Outcome<Vec<PathBuf>> {
        let lib = self.lib();
        let entries = fs::read_dir(lib).map_err(|error| cannot("read", lib, &error))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        Ok(paths.filter(|path| path.extension().is_some_and(|ending| ending == "jar")).collect())
    }

    /// Makes a jar from some of the classes of a module.
    pub(crate) fn jar(&self, path: &Path, module: &str, parts: &[&str]) -> Outcome {
        let mut jar = Command::new(self.jdk.program("jar"));
        jar.args(["--create", "--file"]).arg(path);
        let classes = self.root.join(BINDING).join(module).join("target/classes");
        parts.iter().for_each(|part| {
            jar.arg("-C").arg(&classes).arg(part);
        });
        process::output(&mut jar, "see cargo xtask jdk").map(drop)
    }

    /// Sets the environment of one of Joern's programs: its installation folder, and a search path on which
    /// the program finds the same Java.
    pub(crate) fn install(&self, java: &mut Command) {
        // This only fails if the name of the folder contains a colon.
        if let Ok(path) = process::path_with(&self.java_home().join("bin")) {
            java.env("PATH", path);
        }
        java.env("SHIFTLEFT_OCULAR_INSTALL_DIR", self.lib());
    }

    /// The JVM flags for every process that runs Joern.
    pub(crate) fn flags(&self) -> String {
        let quiet = self.jdk.quiet_flag().unwrap_or_default();
        format!("--enable-native-access=ALL-UNNAMED {quiet}")
    }

    /// The folder of Joern's jars.
    pub(crate) fn lib(&self) -> &Path {
        &self.lib
    }

    /// The major version of Java.
    pub(crate) fn java_version(&self) -> u32 {
        self.jdk.version
    }

    /// The folder of the JDK.
    pub(crate) fn java_home(&self) -> &Path {
        &self.jdk.home
    }
}

/// The built example programs in Java and Scala.
pub(crate) struct Examples {
    jdk: Jdk,
    root: PathBuf,
}

impl Examples {
    pub(crate) fn build(root: &Path) -> Outcome<Self> {
        let jdk = jdk::find()?;
        natives(root, Profile::Dev)?;
        let modules = "../../examples/java,../../examples/scala";
        binding(&jdk, root, &["process-classes", "-pl", modules, "-am"])?;
        Ok(Self { jdk, root: root.to_owned() })
    }

    /// The command that runs an example class of a language. The caller adds arguments.
    pub(crate) fn command(&self, language: &str, class: &str) -> Command {
        let binding = self.root.join(BINDING);
        let examples = self.root.join("examples").join(language).join("target");
        let modules = ["varvite", "ffi", "scala"].map(|module| binding.join(module).join("target/classes"));
        let class_path = modules.into_iter().chain([examples.join("classes"), examples.join("lib/*")]);
        let class_path: Vec<String> = class_path.map(|part| part.display().to_string()).collect();
        let mut java = Command::new(self.jdk.program("java"));
        java.arg("--enable-native-access=ALL-UNNAMED").args(self.jdk.quiet_flag());
        java.arg(format!("-Djava.library.path={}", natives_folder(&self.root).display()));
        java.arg("-cp").arg(class_path.join(":")).arg(class);
        java
    }
}

/// Runs the soak tests of the binding in their long form: the tests open graphs, and close each graph while
/// other threads read it, as many times as the first argument says.
pub(crate) fn soak(root: &Path, words: &[String]) -> Outcome {
    let cycles = match words {
        [] => SOAK_CYCLES,
        [cycles] if cycles.parse::<u32>().is_ok_and(|cycles| cycles > 0) => cycles,
        _ => return Err(Failure("soak-java takes one number: how many graphs to open and close".to_owned())),
    };
    natives(root, Profile::Dev)?;
    generated::write(root, Profile::Dev)?;
    let cycles = format!("-Dvarvite.cycles={cycles}");
    let only = ["-Dtest=SoakTest", "-Dsurefire.failIfNoSpecifiedTests=false"];
    binding(&jdk::find()?, root, &["test", &cycles, only[0], only[1]])
}

/// Builds the native library, and copies it to the folder from which the module `native` takes it.
fn natives(root: &Path, profile: Profile) -> Outcome {
    let built = built::build(root, profile, &["--lib"])?.join("libvarvite_c.so");
    put_native(&built, &natives_folder(root).join("libvarvite.so"))
}

/// Copies a native library to `library`. A file beside the copy contains its hash, which is the name under
/// which the library is stored on a user's machine.
pub(crate) fn put_native(built: &Path, library: &Path) -> Outcome {
    let folder = library.parent().unwrap_or(library);
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    // The new copy is renamed over the old one, because a program may have mapped the old library.
    let beside = folder.join("library.new");
    fs::copy(built, &beside).map_err(|error| cannot("copy", built, &error))?;
    fs::rename(&beside, library).map_err(|error| cannot("create", library, &error))?;
    let hash = process::output(Command::new("sha256sum").arg(library), "apt install coreutils")?;
    let hash = hash.split(' ').next().unwrap_or_default();
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!("{name}.sha256"));
    fs::write(&beside, hash).map_err(|error| cannot("write", &beside, &error))
}

/// The folder with the content of the native library's jar. It is in cargo's target folder, so it depends on
/// `CARGO_TARGET_DIR`.
fn natives_root(root: &Path) -> PathBuf {
    target_dir(root).join("java/natives")
}

/// The folder that contains the native library of this platform, once it is built.
pub(crate) fn natives_folder(root: &Path) -> PathBuf {
    let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    natives_root(root).join("varvite/natives").join(platform)
}

/// Runs Maven for the binding, with the path of the native library.
fn binding(jdk: &Jdk, root: &Path, words: &[&str]) -> Outcome {
    binding_with(jdk, root, &natives_root(root), words)
}

/// Runs Maven for the binding, with the content of the native library's jar in `natives`.
pub(crate) fn binding_with(jdk: &Jdk, root: &Path, natives: &Path, words: &[&str]) -> Outcome {
    let natives = format!("-Dvarvite.natives={}", natives.display());
    let words: Vec<&str> = words.iter().copied().chain([natives.as_str()]).collect();
    maven(jdk, &root.join(BINDING), &words)
}

/// Runs Maven in a folder. Maven does nothing if nothing has changed.
pub(crate) fn maven(jdk: &Jdk, folder: &Path, words: &[&str]) -> Outcome {
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B"]).args(words).current_dir(folder).env("JAVA_HOME", &jdk.home);
    if jdk.version >= 24 && std::env::var_os("MAVEN_OPTS").is_none() {
        // Maven 3's own libraries use functions that make JDK 24 and later print four lines of warnings at
        // each start.
        maven.env("MAVEN_OPTS", "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED");
    }
    process::run(&mut maven, "apt install maven")
}

/// A built program that runs another engine.
pub(crate) struct Peer {
    /// The name of the peer.
    pub(crate) name: &'static str,
    jdk: Jdk,
    target: PathBuf,
}

impl Peer {
    /// Builds only the peer flatgraph, with Maven, which does nothing if nothing has changed.
    pub(crate) fn flatgraph(root: &Path) -> Outcome<Self> {
        let jdk = jdk::find()?;
        maven(&jdk, &root.join(PEERS), &["package", "-pl", FLATGRAPH])?;
        Ok(Self::new(root, &jdk, FLATGRAPH))
    }

    /// Builds both peers: flatgraph and Joern.
    pub(crate) fn build_all(root: &Path) -> Outcome<[Self; 2]> {
        let jdk = jdk::find()?;
        maven(&jdk, &root.join(PEERS), &["package"])?;
        Ok([FLATGRAPH, JOERN].map(|name| Self::new(root, &jdk, name)))
    }

    fn new(root: &Path, jdk: &Jdk, name: &'static str) -> Self {
        Self { name, jdk: jdk.clone(), target: root.join(PEERS).join(name).join("target") }
    }

    /// Runs flatgraph to load `graph` and write its facts as JSON to `out`.
    pub(crate) fn facts(&self, graph: &Path, out: &Path) -> Outcome {
        self.write("facts", graph, out)
    }

    /// Runs flatgraph to make the file `out` from `source`. `command` is a command of the peer: `facts`,
    /// `dump` or `odd`.
    pub(crate) fn write(&self, command: &str, source: &Path, out: &Path) -> Outcome {
        process::run(self.java().arg(command).arg(source).arg(out), "see cargo xtask jdk")
    }

    /// The JDK that runs the peer.
    pub(crate) fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The folder with the peer's classes and libraries.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The command that starts the peer. The caller adds arguments.
    pub(crate) fn java(&self) -> Command {
        let mut java = Command::new(self.jdk.program("java"));
        let class_path = format!("{0}/classes:{0}/lib/*", self.target.display());
        java.arg("--enable-native-access=ALL-UNNAMED").args(self.jdk.quiet_flag());
        java.args(["-Dwarmup.seconds=0", "-cp", &class_path])
            .arg(format!("varvite.bench.{}.Main", self.name));
        java
    }
}

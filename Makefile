# All commands of the project. Each calls cargo, Maven or xtask; CI runs the same commands as people do.

CARGO  ?= cargo
# make bench GRAPH=path.cpg.bin measures another graph.
GRAPH  ?=
# make bench-corpus GRAPHS=folder copies other graphs.
GRAPHS ?=
# make soak CASES=100000 and make fuzz SECONDS_EACH=600 run longer.
CASES  ?= 20000
SECONDS_EACH ?= 60
# make fuzz TARGET=kernels runs one target.
TARGET ?=
# The limits for one input of a fuzz target, in megabytes of memory and in seconds; hostile files have similar limits.
FUZZ_LIMITS ?= -rss_limit_mb=512 -malloc_limit_mb=512 -timeout=5
CYCLES ?=
# make crash STATES=100000 KILLS=50 is a short run.
STATES ?= 5000000
KILLS  ?= 5000
# The number of recorders that make crash kills.
RECORDERS ?= 50

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-c test-java test-joern joern-jar bench-joern bench-ask bench-corpus bless check conformance graphalytics bench bench-codecs bench-walks miri fuzz docs release release-all test-release crash soak soak-java soak-memory java hostile python test-python test-networkx test-pyg test-spark bench-python recorder bench-record explorer-page test-explorer bench-explorer

help:  ## list these commands
	@awk -F ":.*## " '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo:  ## import the code graph of zlib and a trace of zlib running, and run six queries
	@examples/demo.sh

quick:  ## run the unit tests and the conformance cases in Rust, after every change; make test runs all tests
	$(CARGO) test --workspace --lib --bins
	$(CARGO) test --workspace --test main -- conformance

test:  ## run all tests; also a round trip of a real graph through flatgraph, the same queries on two peers, and random plans
	$(CARGO) xtask explorer-page --if-possible
	$(CARGO) test --workspace
	$(CARGO) test -p varvite-codec --lib --no-default-features --features std,lz4,snappy,zlib,zstd-rust
	$(CARGO) xtask stages
	$(CARGO) xtask hostile --eighth
	$(CARGO) xtask skipped

test-java:  ## run the tests of the Java binding (needs a JDK 22 or later, and Maven)
	$(CARGO) xtask test-java

test-joern:  ## compare Joern's answers on flatgraph and on mapped files (needs a JDK 22 or later, and Maven)
	$(CARGO) xtask test-joern $(GRAPH)
	$(CARGO) xtask test-joern --versions
	$(CARGO) xtask test-joern --server
	$(CARGO) xtask test-joern --text
	$(CARGO) xtask test-joern --suites

joern-jar:  ## build varvite-joern.jar, for `varvite joern` and `varvite frontend` (needs a JDK 22 or later, and Maven)
	$(CARGO) xtask joern-jar

test-c:  ## test the C interface: check the header; run the suite plain, with the address sanitizer, and under valgrind if installed
	$(CARGO) xtask test-c

bless:  ## rewrite the golden files, their expected answers and the files generated from Rust tables; then read the diff
	BLESS=1 $(CARGO) test -p varvite-graph -p varvite-query --lib -- pipeline::description tests::constants
	BLESS=1 $(CARGO) test -p varvite-cpg --lib -- steps::tests
	BLESS=1 $(CARGO) test -p varvite-c --lib -- header::java
	BLESS=1 $(CARGO) test -p varvite --test main -- conformance::bless other_languages
	BLESS=1 $(CARGO) test -p varvite-cli --test main -- agent_questions

explorer-page:  ## bundle the page of `varvite explore`, for the next build of the command (needs Node 20 and npm)
	$(CARGO) xtask explorer-page

test-explorer:  ## test the page of `varvite explore` in Chromium, headless (needs Node 20, npm and chromium)
	$(CARGO) xtask test-explorer

conformance:  ## run the conformance cases in Rust, in C, in Java, with the command-line tool and with the interpreter
	$(CARGO) test --workspace --test main -- conformance
	$(CARGO) xtask conformance

graphalytics:  ## run algorithms on the validation graphs of LDBC Graphalytics, in ../shared/data, and compare with the published answers
	$(CARGO) test -p varvite --test main -- --nocapture --test-threads 1 algorithms::graphalytics

check: docs  ## check formatting, lints, links of the documentation, dependencies, packages, the oldest Rust version, and the house rules
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy -p varvite -- -D warnings
	$(CARGO) clippy -p varvite-codec --no-default-features --features lz4,lz4-hc,snappy,zlib,zstd -- -D warnings
	$(CARGO) xtask deny
	$(CARGO) xtask package
	$(CARGO) xtask msrv
	$(CARGO) xtask systems
	$(CARGO) xtask workflow
	$(CARGO) xtask tidy

bench:  ## measure Varvite beside flatgraph and column engines; GRAPH=path.cpg.bin for another graph
	$(CARGO) xtask bench $(GRAPH)

bench-codecs:  ## measure every codec and checksum on real records; GRAPH=path.cpg.bin for columns of another graph
	$(CARGO) xtask bench-codecs $(GRAPH)

bench-ask:  ## measure queries in Joern's language beside Joern, fifty processes on one file, and questions of agents; GRAPH=path.cpg.bin
	$(CARGO) xtask bench-ask $(GRAPH)

bench-corpus:  ## measure 10,000 graphs in one process and on Spark, beside Spark on Parquet and NetworkX (needs a JDK, 17 or newer); GRAPHS=folder for others
	$(CARGO) xtask bench-corpus $(GRAPHS)

bench-explorer:  ## measure the page of varvite explore in a browser, a report, and a flame graph beside speedscope; GRAPH=path for another graph
	$(CARGO) xtask bench-explorer $(GRAPH)

bench-walks:  ## measure walks beside Neo4j and TinkerGraph, algorithms beside igraph and NetworKit, and cancellation
	$(CARGO) xtask bench-walks

bench-joern:  ## measure Joern on flatgraph and on mapped files; GRAPH=path.cpg.bin for a graph other than that of SQLite
	$(CARGO) xtask bench-joern $(GRAPH)

bench-java:  ## measure the Java binding beside flatgraph, RocksDB and LMDB; GRAPH=path.cpg.bin for another graph
	$(CARGO) xtask bench-java $(GRAPH)

bench-python:  ## measure the Python package beside NetworkX, igraph, a script of Joern, and Polars and DuckDB on Parquet; GRAPH=path.cpg.bin for another graph
	$(CARGO) xtask bench-python $(GRAPH)

bench-record:  ## measure how much recording slows programs down, beside valgrind's own tools (needs what make recorder needs)
	$(CARGO) xtask bench-record

miri:  ## run tests under Miri, for modules with unsafe code that need no real file (needs nightly Rust)
	@$(CARGO) +nightly miri --version >/dev/null 2>&1 || \
		{ echo "varvite: needs Miri: rustup toolchain install nightly --component miri" >&2; exit 1; }
	PROPTEST_CASES=4 MIRIFLAGS=-Zmiri-disable-isolation \
		$(CARGO) +nightly miri test -p varvite-store --lib -- aligned_bytes pinned ledger
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test -p varvite-codec --lib \
		--no-default-features --features std,lz4,snappy,zlib -- arena a_block_of_another_length

fuzz:  ## run every fuzz target for SECONDS_EACH seconds, or TARGET alone (needs nightly Rust and cargo-fuzz)
	@$(CARGO) fuzz --version >/dev/null 2>&1 || \
		{ echo "varvite: needs cargo-fuzz: cargo install --locked cargo-fuzz" >&2; exit 1; }
	for target in $(or $(TARGET),$$($(CARGO) fuzz list)); do \
		$(CARGO) +nightly fuzz run $$target -- -max_total_time=$(SECONDS_EACH) $(FUZZ_LIMITS) || exit 1; done

hostile:  ## run every command on every hostile file, with little memory and time; make test runs an eighth of these
	$(CARGO) xtask hostile

docs:  ## build the API documentation; broken links are errors
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

release:  ## make the files of a release for this machine (needs zig: pip install cargo-zigbuild ziglang; a JDK, Maven and npm)
	$(CARGO) xtask release

release-all:  ## make the files of a release for Linux, macOS and Windows
	$(CARGO) xtask release --all

test-release:  ## install what make release made without a compiler, and ask it questions; make test has a short form
	$(CARGO) xtask test-release

crash:  ## test STATES disks after power failures, KILLS killed writers, RECORDERS killed recorders, flipped bits, planted bugs
	$(CARGO) test --release -p varvite-store
	$(CARGO) xtask crash --release --long --states $(STATES) --kills $(KILLS)
	VARVITE_KILLS=$(RECORDERS) $(CARGO) test --release -p varvite-cli --test main -- a_killed_recorder

soak:  ## run the random tests with CASES cases each, 50,000 random plans against an interpreter, 10,000 rounds of writers
	PROPTEST_CASES=$(CASES) $(CARGO) test --release --workspace
	$(CARGO) xtask differential 50000
	$(CARGO) xtask writers --rounds 10000

soak-java:  ## open and close CYCLES graphs in Java while 4 threads read them (default: 10000)
	$(CARGO) xtask soak-java $(CYCLES)

soak-memory:  ## open, query, evict and close a graph CYCLES times in Rust and in Java (default: 10000), and check that memory does not grow
	$(CARGO) xtask soak-memory $(CYCLES)

recorder:  ## build the valgrind tool of `varvite trace record`, in target/recorder (needs gcc, and valgrind with its headers)
	@$(MAKE) --silent -C tools/valgrind OUT=$(abspath $(or $(CARGO_TARGET_DIR),target))/recorder

python:  ## build the wheel of the Python package, in target/wheels (needs Python 3.10 or newer, and PyPI)
	$(CARGO) xtask python

test-python:  ## test the Python package beside NumPy, Polars, DuckDB, Spark (needs a JDK) and others, which pip installs below target
	$(CARGO) xtask test-python

test-networkx:  ## run NetworkX's own tests against the backend, some minutes, and compare the counts with docs/networkx.md
	$(CARGO) xtask test-networkx

test-pyg:  ## load functions with PyTorch Geometric (pip downloads some gigabytes)
	$(CARGO) xtask test-pyg

test-spark:  ## kill workers of Spark in the middle of reads and algorithms, some minutes (needs a JDK, 17 or newer)
	$(CARGO) xtask test-spark

java:  ## build the Java parts with a JDK that is new enough
	$(CARGO) xtask java

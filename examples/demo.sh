#!/usr/bin/env bash
# Imports the code graph of zlib, a heap profile and a memory trace of a run of zlib, and answers six questions about
# them. `make demo` calls this script.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
# VARVITE names an installed command; by default the demo builds one.
if [ -z "${VARVITE:-}" ]; then
    command -v cargo >/dev/null || { echo "varvite: needs Rust: see https://rustup.rs" >&2; exit 1; }
    command -v cc >/dev/null || { echo "varvite: needs a C compiler for zstd: apt install build-essential" >&2; exit 1; }
    echo "Building varvite; the first time takes a few minutes."
    # The server for agents is left out: its 46 packages take a minute, and the demo does not need it.
    cargo build --quiet --profile demo --package varvite-cli --no-default-features
    VARVITE=$target/demo/varvite
fi
bin=${VARVITE%/*}
graph=$target/demo/zlib.varvite
mkdir -p "$target/demo"
PATH="$bin:$PATH"

say() { printf '\n%s\n' "$*"; }
run() { printf '$ %s\n' "$*"; "$@"; }

say "A Joern graph of zlib 1.3.2 becomes one flat file."
run varvite import examples/data/zlib.cpg.bin -o "$graph" --force

say "What is in it?"
run varvite info "$graph"

say "1. Who calls deflateInit2_, the function behind every way to start compressing?"
run varvite callers "$graph" deflateInit2_

say "2. By which calls does compress come to flush_pending?"
run varvite path "$graph" compress flush_pending --along CALL

say "3. Where is compressBound, and what is it made of?"
run varvite find "$graph" METHOD NAME=compressBound
run varvite tree "$graph" compressBound

say "What did it do when it ran? A heap profile and a trace of memory accesses become layers of the same file."
run varvite import --into "$graph" crates/varvite-profile/tests/data/zlib.heaptrack.zst
run varvite import --into "$graph" examples/layers/zwork.vtrace --binary examples/layers/zwork

say "4. Which calls in loops lead to most allocations, and how does the program come to them?"
run varvite heap on-code "$graph" --in-loops

say "5. What do the functions execute that allocate, themselves or by what they call?"
run varvite find "$graph" METHOD 'HEAP_ALL_CALLS>0' --order-by TRACE_INSTRUCTIONS --descending --limit 8 \
    --columns NAME,FILENAME,LINE_NUMBER,HEAP_ALL_CALLS,HEAP_ALL_PEAK_BYTES,TRACE_INSTRUCTIONS,TRACE_CACHE_LINES

say "6. What runs hot below those loops?"
run varvite query "$graph" examples/layers/hot_below_loops.json

cat <<EOF

The file stays in $graph. Next, try:
  $bin/varvite find $graph CALL 'NAME~mem(cpy|set)' 'LINE_NUMBER>1000'
  $bin/varvite query $graph examples/plans/reach.json
  $bin/varvite heap flame $graph -o $target/demo/zlib.svg
  $bin/varvite callers $graph inflate --format json
  $bin/varvite schema $graph METHOD
  $bin/varvite export $graph -o $target/demo/zlib.cpg.bin --format flatgraph
  $bin/varvite --help
EOF

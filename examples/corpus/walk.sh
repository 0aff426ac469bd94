#!/bin/sh
# Runs the commands of docs/guide/corpus.md: many graphs, questions to all of them, an index of their names, and copied
# functions. Usage: walk.sh [FOLDER]; the graphs go to FOLDER, by default to target/corpus-walk.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# VARVITE names an installed command; by default the script builds one.
if [ -z "${VARVITE:-}" ]; then
    command -v cargo >/dev/null || { echo "varvite: needs Rust: see https://rustup.rs" >&2; exit 1; }
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --package varvite-cli
    VARVITE=${CARGO_TARGET_DIR:-$root/target}/release/varvite
fi
PATH="$(cd "$(dirname "$VARVITE")" && pwd):$PATH"
folder=${1:-$root/target/corpus-walk}
mkdir -p "$folder"
cd "$folder"
rm -rf corpus index.varvite linked linked.varvite examples
ln -s "$root/examples" examples

while IFS= read -r line; do
    printf '$ %s\n' "$line"
    eval "$line" 2>&1
done <<'COMMANDS'
mkdir -p corpus/vendored
varvite import examples/data/zlib.cpg.bin -o corpus/zlib.varvite
cp corpus/zlib.varvite corpus/vendored/zlib-of-ours.varvite
varvite import examples/data/content.cpg.bin -o corpus/content.varvite
varvite corpus open corpus
varvite callers corpus inflate_fast
varvite find corpus METHOD 'NAME~adler32_comb.*' --columns FULL_NAME,FILENAME,LINE_NUMBER --limit 4
varvite ask 'corpus/**/*.varvite' 'cpg.call("memcpy").size'
varvite corpus index corpus -o index.varvite
varvite find index.varvite METHOD NAME=printf --columns GRAPH,LINKAGE,CALLS,CANDIDATES
mkdir linked
varvite import examples/corpus/library.cpg.bin -o linked/library.varvite
varvite import examples/corpus/program.cpg.bin -o linked/program.varvite
varvite corpus index linked -o linked.varvite
varvite find linked.varvite METHOD LINKAGE=imported --columns GRAPH,FULL_NAME,CALLS,CANDIDATES
varvite ask linked.varvite 'cpg.method.name("frame_sum").out("LINKS").l'
varvite corpus clones index.varvite --min-lines 3 --limit 2
COMMANDS

#!/usr/bin/env bash
# Builds the C and Rust clients, runs them, and writes their heap profiles to a folder: record.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: record.sh FOLDER}
command -v heaptrack >/dev/null || { echo "record.sh: needs heaptrack: apt install heaptrack" >&2; exit 1; }
mkdir -p "$folder"
cd "$folder"
for which in before after; do
    cc -std=gnu11 -Wall -g -O1 -fno-omit-frame-pointer -o "client-$which" \
        "$here/$which/client.c" "$here/message.c" -lssl -lcrypto ||
        { echo "record.sh: needs OpenSSL's headers: apt install libssl-dev" >&2; exit 1; }
    heaptrack -o "$which" "./client-$which" 5
done
CARGO_TARGET_DIR=rust-target cargo build --release --manifest-path "$here/rust/Cargo.toml"
for which in before after; do
    heaptrack -o "rust-$which" "./rust-target/release/$which" 5
done

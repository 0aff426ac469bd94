"""Checks that Varvite and the reference tools of each framing can read what the other writes.

    python check.py FRAME           FRAME is the example `frame` of varvite-codec
    python check.py --golden FOLDER writes the golden files of the tests again

Varvite must read the bytes that a tool writes, and the tool must read the bytes that Varvite writes. For zstd, where
both use the same library, the written bytes must also be equal. `cargo xtask reference` makes the environment and runs
this script.
"""

import gzip
import io
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

import lz4.frame
import snappy
import zstandard


def log_lines(length):
    """The same bytes as from the Rust function `log_lines` in sample.rs."""
    state, lines, total = 1, [], 0
    while total < length:
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        n = state >> 16
        lines.append(b"load %#x size %d thread %d\n" % (0x7F000000 + n * 8, 1 << (n % 4), n % 3))
        total += len(lines[-1])
    return b"".join(lines)[:length]


def inputs():
    noise = random.Random(1).randbytes(150_000)
    lines = log_lines(600_000)
    return {
        "nothing": b"",
        "one byte": b"x",
        "lines": lines,
        "a chunk": lines[:65_536],
        "a chunk and a byte": lines[:65_537],
        "noise": noise,
        "zeros": bytes(3_000_000),
        "all of it": lines[:300_000] + noise + bytes(100_000) + lines[:300_000],
    }


def without_sums(framed):
    """Turns Snappy chunks of types 0 and 1 into DynamoRIO's types 2 and 3, which have no checksum."""
    out, at = [], 0
    while at < len(framed):
        kind, length = framed[at], int.from_bytes(framed[at + 1 : at + 4], "little")
        body = framed[at + 4 : at + 4 + length]
        at += 4 + length
        if kind < 2:
            kind, body = kind + 2, body[4:]
        out.append(bytes([kind]) + len(body).to_bytes(3, "little") + body)
    return b"".join(out)


def with_sums(framed):
    """Turns chunks of types 2 and 3 into types 0 and 1, with a checksum, so that python-snappy can read our output."""
    out, at = [], 0
    while at < len(framed):
        kind, length = framed[at], int.from_bytes(framed[at + 1 : at + 4], "little")
        body = framed[at + 4 : at + 4 + length]
        at += 4 + length
        if kind in (2, 3):
            plain = snappy.uncompress(body) if kind == 2 else body
            kind, body = kind - 2, struct.pack("<I", masked(crc32c(plain))) + body
        out.append(bytes([kind]) + len(body).to_bytes(3, "little") + body)
    return b"".join(out)


TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ 0x82F63B78 if byte & 1 else byte >> 1
    TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def snappy_framed(plain):
    stream = snappy.StreamCompressor()
    return stream.add_chunk(plain) + (stream.flush() or b"")


def snappy_unframed(framed):
    return snappy.StreamDecompressor().decompress(framed) if framed else b""


def hadoop_framed(plain):
    return snappy.HadoopStreamCompressor().compress(plain) if plain else b""


def hadoop_unframed(framed):
    return snappy.HadoopStreamDecompressor().decompress(framed) if framed else b""


def zipped(plain, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for at in range(0, len(plain), 100_000):
            method = zipfile.ZIP_STORED if at % 300_000 == 200_000 else zipfile.ZIP_DEFLATED
            info = zipfile.ZipInfo("chunk.%08d" % (at // 100_000))
            info.compress_type = method
            with file.open(info, "w", **options) as component:
                component.write(plain[at : at + 100_000])
    return out.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return b"".join(file.read(info) for info in file.infolist())


def zstd_framed(plain, level, **options):
    """Compresses in several calls, so that the library does not know the total length when it starts."""
    stream = zstandard.ZstdCompressor(level=level, write_checksum=True, **options).compressobj()
    pieces = [stream.compress(plain[at : at + 65_536]) for at in range(0, len(plain), 65_536)]
    return b"".join(pieces) + stream.flush()


def zstd_unframed(data):
    reader = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
    return reader.read()


def piped(*command):
    return lambda data: subprocess.run(command, input=data, capture_output=True, check=True).stdout


def lz4_kinds():
    for size in (4, 5, 6, 7):
        yield f"blocks {size}", dict(block_size=size, block_linked=False)
        yield f"linked blocks {size}", dict(block_size=size, block_linked=True)
    yield "all sums", dict(block_checksum=True, content_checksum=True, store_size=True)
    yield "no size", dict(store_size=False, block_linked=True)
    for level in (-20, 3, 9, 12):
        yield f"level {level}", dict(compression_level=level, block_linked=True)


def writers_of_others():
    """The writers of other tools: for each, the framing, a name, and the function that compresses."""
    yield "snappy", "python-snappy", snappy_framed
    yield "snappy_nocrc", "python-snappy, sums taken out", lambda plain: without_sums(snappy_framed(plain))
    yield "snappy_nocrc", "python-snappy, with sums", snappy_framed
    yield "hadoop_snappy", "python-snappy", hadoop_framed
    for name, kind in lz4_kinds():
        yield "lz4", f"lz4, {name}", lambda plain, kind=kind: lz4.frame.compress(plain, **kind)
    for level in (0, 1, 6, 9):
        yield "zlib", f"zlib {level}", lambda plain, level=level: zlib.compress(plain, level)
        yield "gzip", f"gzip {level}", lambda plain, level=level: gzip.compress(plain, level)
    yield "gzip", "gzip, three members", lambda plain: b"".join(
        gzip.compress(part) for part in (plain[:1000], b"", plain[1000:])
    )
    for level in (-5, 1, 3, 19):
        yield "zstd", f"zstandard {level}", lambda plain, level=level: zstd_framed(plain, level)
    yield "zip", "zipfile", zipped
    yield "zip", "zipfile, 64 bits", lambda plain: zipped(plain, force_zip64=True)
    for framing, name, options in (
        ("gzip", "gzip", ["-c"]),
        ("lz4", "lz4", ["-c", "-BD"]),
        ("zstd", "zstd", ["-c", "--long=23"]),
    ):
        if program := shutil.which(name):
            yield framing, f"the program {name}", piped(program, *options)


def readers_of_others():
    yield "snappy", [0], "python-snappy", snappy_unframed
    yield "snappy_nocrc", [0], "python-snappy, sums put in", lambda data: snappy_unframed(with_sums(data))
    yield "hadoop_snappy", [0], "python-snappy", hadoop_unframed
    yield "lz4", [-10, 0, 3, 9], "lz4", lz4.frame.decompress
    yield "zlib", [0, 1, 6, 9], "zlib", zlib.decompress
    yield "gzip", [0, 1, 6, 9], "gzip", gzip.decompress
    yield "zstd", [-5, 1, 3, 19], "zstandard", zstd_unframed
    yield "zip", [0, 6], "zipfile", unzipped
    for framing, name in (("gzip", "gzip"), ("lz4", "lz4"), ("zstd", "zstd")):
        if program := shutil.which(name):
            yield framing, [6 if framing == "gzip" else 3], f"the program {name}", piped(program, "-dc")


def check(frame):
    checked = 0
    for name, plain in inputs().items():
        for framing, tool, write in writers_of_others():
            data = write(plain)
            back = subprocess.run([frame, "read", framing], input=data, capture_output=True)
            assert back.stdout == plain, f"we read {framing} by {tool}, {name}: {back.stderr.decode()}"
            checked += 1
        for framing, levels, tool, read in readers_of_others():
            for level in levels:
                command = [frame, "write", framing, str(level)]
                data = subprocess.run(command, input=plain, capture_output=True, check=True).stdout
                assert read(data) == plain, f"{tool} reads our {framing} {level}, {name}"
                checked += 1
                if framing == "zstd" and len(plain) > 65_536 and zstandard.ZSTD_VERSION == (1, 5, 7):
                    assert data == zstd_framed(plain, level), f"the bytes of {tool} {level}, {name}"
    print(f"reference: {checked} streams read alike, ours by the tools and theirs by us")


def golden(folder):
    plain = log_lines(3000) * 60
    framed = snappy_framed(plain)
    files = {
        "python-snappy.sz": framed,
        "python-snappy-nocrc.sz": without_sums(framed),
        "python-snappy.hadoop": hadoop_framed(plain),
        "linked.lz4": lz4.frame.compress(plain, block_size=4, block_linked=True, content_checksum=True),
        "all-sums.lz4": lz4.frame.compress(plain, block_size=4, block_checksum=True, content_checksum=True),
        "high.lz4": lz4.frame.compress(plain, compression_level=12, block_linked=True),
        "zlib.zlib": zlib.compress(plain),
        "two-members.gz": gzip.compress(plain[:100_000], mtime=0) + gzip.compress(plain[100_000:], mtime=0),
        "level-19.zst": zstd_framed(plain, 19),
        "varves.zst": zstandard.ZstdCompressor(level=3, write_checksum=True).compress(b"varve upon varve upon varve"),
        "python.zip": zipped(plain[:100_000]),
        "zip64.zip": zipped(plain[:100_000], force_zip64=True),
    }
    for name, data in files.items():
        (pathlib.Path(folder) / name).write_bytes(data)


if __name__ == "__main__":
    if sys.argv[1] == "--golden":
        golden(sys.argv[2])
    else:
        check(sys.argv[1])

"""The files of Spark's data source: bad ones, those with other schemas, and those of other file systems. No cluster."""

import hashlib
import json
import pathlib
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import fsspec
import pyarrow
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from pyspark.sql.datasource import EqualTo

import varvite
import varvite.spark
from conftest import ROOT
from test_spark import changed, corpus as corpus, damage, graphs, optional, rows, source, work_of
from varvite.spark import cache, files
from varvite.spark.columns import SchemaError
from varvite.spark.faults import FileError
from varvite.spark.options import Access, OptionError
from varvite.spark.source import VarviteReader, VarviteSource
from varvite.spark.summaries import planned
from varvite.spark.values import counts_of

BAD = ["damaged", "missing", "half-copied", "newer", "foreign"]


def spoil(kind: str, whole: pathlib.Path, path: pathlib.Path) -> pathlib.Path:
    """Makes a bad file."""
    if kind == "damaged":
        damage(whole, path)
    elif kind == "missing":
        path.symlink_to(path.parent / "nothing")
    elif kind == "half-copied":
        path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    elif kind == "newer":
        shutil.copy(ROOT / "conformance/files/damaged/newer-version.varvite", path)
    else:
        path.write_text("not a graph")
    return path


def parts_of(path: Any, **options: Any) -> tuple[VarviteReader, list[Any]]:
    """The reader of a read, and its parts: Spark has planned it."""
    found = source(path, **options)
    reader = found.reader(found.schema())
    assert isinstance(reader, VarviteReader)
    return reader, list(reader.partitions())


def read(reader: VarviteReader, parts: list[Any]) -> list[dict[str, Any]]:
    """The rows of parts, as tasks read them."""
    batches = [batch for part in parts for batch in reader.read(part)]
    return [row for batch in batches for row in batch.to_pylist()]


# Bad files


@pytest.mark.parametrize("filters", [None, [EqualTo(("IS_EXTERNAL",), True)]])
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_fails_the_read_or_is_one_row(
    corpus: pathlib.Path, tmp_path: pathlib.Path, kind: str, filters: Any
) -> None:
    whole = pathlib.Path(shutil.copy(corpus / "a.varvite", tmp_path / "a.varvite"))
    expected = rows(whole, filters, table="METHOD")
    bad = spoil(kind, whole, tmp_path / "z.varvite")
    with pytest.raises(FileError) as caught:
        rows(tmp_path, filters, table="METHOD")
    message = str(caught.value)
    assert message.startswith(str(bad)) and "\n" not in message
    *found, corrupt = rows(tmp_path, filters, table="METHOD", mode="PERMISSIVE")
    assert corrupt == {**dict.fromkeys(found[0]), "_file": str(bad), "_corrupt": message}
    assert expected and found == [{**row, "_corrupt": None} for row in expected]


def test_a_newest_commit_that_was_lost_is_a_bad_file(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = pathlib.Path(shutil.copy(corpus / "b.varvite", tmp_path / "b.varvite"))
    # The commit of the fixture is at the end of the file.
    path.write_bytes(path.read_bytes()[:-64])
    shutil.copy(corpus / "a.varvite", tmp_path)
    with pytest.raises(FileError, match="b.varvite: "):
        rows(tmp_path, table="METHOD")
    *found, corrupt = rows(tmp_path, table="METHOD", mode="PERMISSIVE", columns="id")
    assert corrupt["id"] is None and corrupt["_corrupt"].startswith(str(path))
    assert len(found) == len(graphs(corpus)[0].nodes("METHOD"))


# Other schemas


def with_width(path: pathlib.Path, kind: str, value: Any) -> pathlib.Path:
    """A small graph with a METHOD that has the property W."""
    added = {"labels": ["METHOD"], "properties": {"W": value}}
    return changed(path, optional("W", kind), {"add_node": added})


def test_whole_numbers_of_several_widths_are_one_column(tmp_path: pathlib.Path) -> None:
    for name, kind, value in (("a", "i8", -5), ("b", "u16", 60_000), ("c", "u64", 2**64 - 1)):
        with_width(tmp_path / f"{name}.varvite", kind, value)
    changed(tmp_path / "d.varvite", {"add_node": {"labels": ["METHOD"]}})
    found = rows(tmp_path, table="METHOD", columns="W,_file")
    assert source(tmp_path, table="METHOD", columns="W").schema().simpleString() == "struct<W:decimal(20,0)>"
    values = [(pathlib.Path(row["_file"]).stem, row["W"]) for row in found if row["W"] is not None]
    assert values == [("a", -5), ("b", 60_000), ("c", 2**64 - 1)]
    of_last = [row["W"] for row in found if row["_file"].endswith("d.varvite")]
    assert of_last and set(of_last) == {None}


def test_a_text_and_a_number_are_no_column(tmp_path: pathlib.Path) -> None:
    with_width(tmp_path / "a.varvite", "i64", 5)
    other = with_width(tmp_path / "b.varvite", "string", "x")
    message = f"{other}: the column W is int64 in some files and string in others: leave it out by columns"
    for mode in ("FAILFAST", "PERMISSIVE"):
        with pytest.raises(SchemaError) as caught:
            source(tmp_path, table="METHOD", mode=mode).schema()
        assert str(caught.value) == message
    # The advice works.
    assert len(rows(tmp_path, table="METHOD", columns="id")) >= 2


def test_a_strict_schema_refuses_every_difference(tmp_path: pathlib.Path) -> None:
    with_width(tmp_path / "a.varvite", "i64", 5)
    shutil.copy(tmp_path / "a.varvite", tmp_path / "b.varvite")
    assert "W" in source(tmp_path, table="METHOD", schema="strict").schema().names
    with_width(tmp_path / "b.varvite", "i32", 5)
    with pytest.raises(SchemaError, match="b.varvite: the column W is int32, and .*a.varvite has int64: schema is strict"):
        source(tmp_path, table="METHOD", schema="strict", columns="id").schema()
    changed(tmp_path / "b.varvite", {"add_node": {"labels": ["METHOD"]}})
    with pytest.raises(SchemaError, match="b.varvite: the column W is missing, and .*a.varvite has int64: schema is"):
        source(tmp_path, table="METHOD", schema="strict").schema()


# Other file systems


class Vault(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory, for holders of a key. Its faults are those of stores in a network."""

    protocol = "vault"
    store: dict[str, Any] = {}
    pseudo_dirs = [""]
    cachable = False
    closed: set[str] = set()
    cut: set[str] = set()
    is_brief = False

    def __init__(self, key: str = "", **more: Any) -> None:
        super().__init__(**more)
        self.key = key

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return MemoryFileSystem._strip_protocol(path.replace("vault://", "memory://", 1))  # type: ignore[no-any-return]

    def ls(self, path: str, detail: bool = True, **more: Any) -> Any:
        if self.key != "sesame" or self._strip_protocol(path) in self.closed:
            raise PermissionError(f"no key\nfor {path}")
        return super().ls(path, detail=detail, **more)

    def info(self, path: str, **more: Any) -> Any:
        facts = super().info(path, **more)
        if self._strip_protocol(path) in self.cut:
            facts["size"] += 1
        return {name: facts[name] for name in ("name", "size", "type")} if self.is_brief else facts


@pytest.fixture
def vault(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Vault]]:
    """A file system that fsspec knows, without files."""
    fsspec.register_implementation("vault", Vault, clobber=True)
    for name, value in (("store", {}), ("pseudo_dirs", [""]), ("closed", set()), ("cut", set()), ("is_brief", False)):
        monkeypatch.setattr(Vault, name, value)
    yield Vault


KEY = '{"key": "sesame"}'


def put(path: pathlib.Path, address: str) -> None:
    """Copies a file into the file system of an address."""
    with fsspec.open(address, "wb", **({"key": "sesame"} if address.startswith("vault") else {})) as file:
        file.write(path.read_bytes())


def copies(folder: pathlib.Path) -> list[pathlib.Path]:
    """The copies in a cache."""
    return sorted(folder.glob("*.varvite"))


@pytest.fixture
def far(vault: type[Vault], corpus: pathlib.Path) -> str:
    """The corpus in the vault: two files, and one in a folder that has the content of the first."""
    for name, address in (("a", "a"), ("b", "b"), ("a", "more/c")):
        put(corpus / f"{name}.varvite", f"vault:///corpus/{address}.varvite")
    put(ROOT / "README.md", "vault:///corpus/README.md")
    return "vault:///corpus"


@pytest.fixture
def options(tmp_path: pathlib.Path) -> dict[str, Any]:
    """The options of reads from the vault."""
    return {"storage": KEY, "cache": str(tmp_path / "cache"), "columns": "id,NAME,_file,_digest"}


def test_a_folder_of_another_file_system_reads_like_one_here(
    far: str, corpus: pathlib.Path, options: dict[str, Any]
) -> None:
    found = rows(far, table="METHOD", **options)
    here = rows(corpus, table="METHOD", columns="id,NAME,_file,_digest")
    moved = [{**row, "_file": f"{far}/{pathlib.Path(row['_file']).name}"} for row in here]
    of_first = [row for row in moved if row["_file"].endswith("a.varvite")]
    again = [{**row, "_file": f"{far}/more/c.varvite", "id": row["id"] + (2 << 32)} for row in of_first]
    assert found == moved + again
    # Two files have one content, so there are two copies, by their digests.
    digests = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in corpus.glob("*.varvite"))
    assert [path.stem for path in copies(pathlib.Path(options["cache"]))] == digests


@pytest.mark.parametrize(
    "pattern, names",
    [
        ("*.varvite", ["a", "b"]),
        ("**/*.varvite", ["a", "b", "more/c"]),
        ("*/c.*", ["more/c"]),
        ("**/more/*", ["more/c"]),
        ("[bc].varvite", ["b"]),
        ("b.varvite", ["b"]),
        ("more", ["more/c"]),
    ],
)
def test_patterns_of_addresses_are_those_of_paths(far: str, options: dict[str, Any], pattern: str, names: list[str]) -> None:
    found = source(f"{far}/{pattern}", **options).files
    assert [file.path for file in found] == [f"{far}/{name}.varvite" for name in names]


def test_a_pattern_without_files_is_refused(far: str, options: dict[str, Any]) -> None:
    for words in (f"{far}/*.graph", f"{far}/**/x/*"):
        with pytest.raises(FileError, match="no graph files"):
            source(words, **options)


def test_addresses_in_memory_and_of_this_machine(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path, inside = corpus / "a.varvite", "memory://varvite-test/a.varvite"
    expected = [row["id"] for row in rows(path, table="METHOD", columns="id")]
    put(path, inside)
    for address, name in [
        ("memory://varvite-test", inside),
        (f"local://{path}", f"local://{path}"),
        (f"file://{path}", str(path)),
    ]:
        found = rows(address, table="METHOD", columns="id,_file", cache=str(tmp_path / "cache"))
        assert [row["id"] for row in found] == expected and {row["_file"] for row in found} == {name}
    # Files of this machine need no copy.
    assert len(copies(tmp_path / "cache")) == 1
    fsspec.filesystem("memory").rm("/varvite-test", recursive=True)


def test_a_file_elsewhere_that_is_replaced_after_planning_is_refused(
    far: str, corpus: pathlib.Path, options: dict[str, Any]
) -> None:
    address = f"{far}/a.varvite"
    reader, parts = parts_of(address, table="METHOD", **options)
    expected = read(reader, parts)
    put(corpus / "b.varvite", address)
    with pytest.raises(FileError, match="a.varvite: replaced or changed since the read was planned"):
        read(reader, parts)
    tolerant, of_tolerant = parts_of(address, table="METHOD", mode="PERMISSIVE", **options)
    put(corpus / "a.varvite", address)
    (row,) = read(tolerant, of_tolerant)
    assert row["_file"] == address and row["_corrupt"].startswith(f"{address}: replaced or changed")
    # A file with the content of before is the planned one.
    assert read(reader, parts) == expected
    assert rows(address, table="METHOD", **options) == expected


def test_a_file_system_that_tells_no_states_is_read_at_each_plan(
    vault: type[Vault], far: str, corpus: pathlib.Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault, "is_brief", True)
    address = f"{far}/a.varvite"
    before = rows(address, table="METHOD", **options)
    put(corpus / "b.varvite", address)
    after = rows(address, table="METHOD", **options)
    assert {row["_digest"] for row in before} != {row["_digest"] for row in after}
    assert not list(pathlib.Path(options["cache"]).glob("*.name"))


@pytest.mark.parametrize("kind", ["damaged", "half-copied", "newer", "foreign", "cut", "missing"])
def test_a_bad_file_elsewhere_fails_the_read_or_is_one_row(
    vault: type[Vault], far: str, corpus: pathlib.Path, tmp_path: pathlib.Path, options: dict[str, Any], kind: str
) -> None:
    address = f"{far}/z.varvite"
    paths = [f"{far}/a.varvite", address]
    if kind == "cut":
        put(corpus / "a.varvite", address)
        vault.cut.add("/corpus/z.varvite")
    elif kind != "missing":
        put(spoil(kind, corpus / "a.varvite", tmp_path / "z.varvite"), address)

    def all_rows(**more: Any) -> list[dict[str, Any]]:
        found = VarviteSource({"paths": json.dumps(paths), "table": "METHOD", **options, **more})
        reader = found.reader(found.schema())
        assert isinstance(reader, VarviteReader)
        return read(reader, list(reader.partitions()))

    for _ in range(2):
        with pytest.raises(FileError) as caught:
            all_rows()
        assert str(caught.value).startswith(f"{address}: ") and "\n" not in str(caught.value)
    found = all_rows(mode="PERMISSIVE")
    (corrupt,) = [row for row in found if row["_corrupt"] is not None]
    assert (corrupt["_file"], corrupt["id"]) == (address, None) and corrupt["_corrupt"].startswith(address)
    assert len(found) == 1 + len(graphs(corpus)[0].nodes("METHOD"))
    assert not list(pathlib.Path(options["cache"]).glob("*.part"))


def test_a_damaged_copy_is_made_again(far: str, options: dict[str, Any]) -> None:
    address = f"{far}/a.varvite"
    reader, parts = parts_of(address, table="METHOD", **options)
    expected = read(reader, parts)
    (copy,) = copies(pathlib.Path(options["cache"]))
    whole = copy.read_bytes()
    # A copy that does not open.
    copy.write_bytes(b"no graph")
    assert read(reader, parts) == expected and copy.read_bytes() == whole
    # A copy that opens, and is damaged in its columns: the next try of the task succeeds.
    damage(copy, copy)
    with pytest.raises(FileError, match="a.varvite"):
        read(reader, parts)
    assert read(reader, parts) == expected and copy.read_bytes() == whole


def test_the_cache_is_bounded_and_keeps_what_was_used_last(
    vault: type[Vault], tmp_path: pathlib.Path, options: dict[str, Any]
) -> None:
    for number in range(20):
        added = {"add_node": {"labels": ["METHOD"], "properties": {"NAME": f"own_{number}"}}}
        put(changed(tmp_path / "x.varvite", added), f"vault:///many/{number:02}.varvite")
    size = (tmp_path / "x.varvite").stat().st_size
    limit = 6 * (size + 2 * cache.ENTRY_BYTES)
    folder = pathlib.Path(options["cache"])
    bounded = options | {"cache_bytes": limit, "columns": "NAME"}
    for number in range(20):
        found = rows(f"vault:///many/{number:02}.varvite", table="METHOD", **bounded)
        assert found[-1]["NAME"] == f"own_{number}"
        assert sum(entry.length for entry in cache.entries_in(folder)) <= limit
    # The copy that was used last is there.
    assert f"own_{number}" in {node.NAME for path in copies(folder) for node in varvite.open(path).nodes("METHOD")}
    names = {row["NAME"] for row in rows("vault:///many", table="METHOD", **bounded)}
    assert {f"own_{number}" for number in range(20)} <= names
    with pytest.raises(FileError, match=r"00.varvite: a copy of its .* bytes does not fit: raise cache_bytes"):
        rows("vault:///many", table="METHOD", **(options | {"cache_bytes": 5000}))


def test_a_folder_elsewhere_that_cannot_be_read_is_like_a_damaged_file(
    vault: type[Vault], far: str, options: dict[str, Any]
) -> None:
    vault.closed.add("/corpus/more")
    with pytest.raises(FileError, match="^vault:///corpus/more: PermissionError: no key for"):
        rows(far, table="METHOD", **options)
    found = rows(far, table="METHOD", mode="PERMISSIVE", **options)
    (corrupt,) = [row for row in found if row["_corrupt"] is not None]
    assert corrupt["_file"] == f"{far}/more" and "PermissionError" in corrupt["_corrupt"]


def test_wrong_addresses_end_in_one_line(
    far: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    for address, words, message in [
        (far, {"storage": '{"key": "wrong"}'}, "PermissionError"),
        ("nosuch://x/y", {}, "nosuch"),
        (f"{far}/gone.varvite", options, "there is no such file"),
        ("vault:/corpus/gone.varvite", options, "there is no such file"),
    ]:
        with pytest.raises(FileError) as caught:
            rows(address, table="METHOD", **{**options, **words})
        assert str(caught.value).startswith(address) and message in str(caught.value)
        assert "\n" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(FileError, match="far: other file systems need fsspec: pip install fsspec"):
        rows("s3a://bucket/far", table="METHOD")


def test_secrets_and_wrong_options_of_files(tmp_path: pathlib.Path) -> None:
    for storage in ('{"secret": 1', "[1]", '"secret"'):
        with pytest.raises(OptionError) as caught:
            source(tmp_path, storage=storage)
        assert "has to be an object of JSON" in str(caught.value) and "secret" not in str(caught.value)
    with pytest.raises(OptionError, match="has to be at least 1"):
        source(tmp_path, cache_bytes="0")
    with pytest.raises(OptionError, match='there is no option of files "cach"; the nearest is "cache"'):
        varvite.spark.top(None, str(tmp_path), "METHOD", "LINE_NUMBER", options={"cach": "x"})


def test_a_cache_that_others_may_write_is_refused(far: str, options: dict[str, Any]) -> None:
    folder = pathlib.Path(options["cache"])
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(FileError, match="a folder of yours in which no other user may write"):
        rows(far, table="METHOD", **options)
    folder.chmod(0o700)
    assert rows(far, table="METHOD", **options)


def test_algorithms_read_other_file_systems(far: str, corpus: pathlib.Path, options: dict[str, Any]) -> None:
    access = Access(storage={"key": "sesame"}, cache=options["cache"])
    found, measure = planned(far, "METHOD", "NAME", access)
    assert [path for _, path, _ in found] == [f"{far}/{name}.varvite" for name in ("a", "b", "more/c")]
    counted = counts_of(measure, access)
    table = pyarrow.Table.from_batches([batch for file in found[:1] for batch in counted(work_of(file))])
    assert sum(table["count"].to_pylist()) == len(graphs(corpus)[0].nodes("METHOD"))

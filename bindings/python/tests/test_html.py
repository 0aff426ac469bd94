"""The output in notebooks: the HTML of graphs, rows, plans and flame graphs, and bars of progress."""

import html.parser
import pathlib
import shutil
import sys
import types
from typing import Any

import pytest

import varvite
from varvite import html as shown
from varvite import progress

HOSTILE = "<script>alert('1')</script>\"&\u202etxt.exe\u2066\x1b[31m\x00\u200b"
SEEN = "<script>alert('1')</script>\"&\\u202etxt.exe\\u2066\\x1b[31m\\x00\\u200b"


class Page(html.parser.HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def hostile(zlib_path: pathlib.Path, tmp_path: pathlib.Path) -> varvite.Graph:
    """A graph whose label, property, edge label, layer and texts are those of an attacker."""
    path = shutil.copy(zlib_path, tmp_path / "hostile.varvite")
    name = HOSTILE.replace("\x00", "")
    varvite.apply(path, [
        {"declare_label": name},
        {"declare_edge_label": name},
        {"declare_property": {"name": name, "type": "string", "cardinality": "optional"}},
        {"add_node": {"name": "a", "labels": [name], "properties": {name: HOSTILE}}},
        {"add_edge": {"label": name, "from": "a", "to": "a"}},
    ], layer="<b>layer</b>")
    return varvite.open(path)


def test_a_text_is_shown_and_does_nothing() -> None:
    page = Page(shown.text(HOSTILE))
    assert not page.tags and page.text == SEEN
    assert Page(shown.text("x" * 500)).text == "x" * shown.TEXT_MAX + "…"
    assert Page(shown.text("\ud800 ä 漢 \u2028")).text == "\\ud800 ä 漢 \\u2028"


def test_names_of_strangers_are_text_in_all_that_notebooks_show(hostile: varvite.Graph) -> None:
    name = HOSTILE.replace("\x00", "")
    nodes = hostile.pipeline().nodes(name)
    things: list[Any] = [
        hostile,
        nodes,
        nodes.run(),
        nodes.columns(name).run(),
        nodes.out_edges(name).run(),
        nodes.out_edges(name).path().run(),
        hostile.table(name),
        nodes.first(),
        hostile.edge_table(name),
    ]
    for thing in things:
        page = Page(thing._repr_html_())
        assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td", "div", "small", "pre"}, thing
        assert not set(page.text) & {"\u202e", "\u2066", "\x1b", "\x00", "\u200b"}, thing
    assert SEEN in Page(nodes.run()._repr_html_()).text
    assert SEEN in Page(nodes.columns(name).run()._repr_html_()).text


def test_a_graph_shows_its_labels_and_layers(zlib: varvite.Graph) -> None:
    page = Page(zlib._repr_html_())
    assert "44,073 nodes" in page.text and "14,910" in page.text and "code/dataflow" in page.text
    zlib.close()
    assert "closed" in Page(zlib._repr_html_()).text


def test_a_node_shows_its_properties_and_edges(zlib: varvite.Graph) -> None:
    inflate = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    page = Page(inflate._repr_html_())
    assert "inflate" in page.text and "474" in page.text and "FULL_NAME" in page.text
    assert f"CONTAINS{len(inflate.out.CONTAINS)}" in page.text
    zlib.close()
    assert "closed" in Page(inflate._repr_html_()).text


def test_a_table_of_edges_shows_its_first_rows(zlib: varvite.Graph) -> None:
    page = Page(zlib.edge_table("REACHING_DEF")._repr_html_())
    assert "sourcetargetVARIABLE" in page.text and "the first 10 rows" in page.text


def test_rows_show_the_first_ten(zlib: varvite.Graph) -> None:
    calls = Page(zlib.pipeline().nodes("CALL").columns("NAME", "LINE_NUMBER").run()._repr_html_())
    assert "the first 10 rows" in calls.text
    none = Page(zlib.pipeline().nodes("CALL").has("NAME", "nothing").run()._repr_html_())
    assert "0 rows" in none.text


def test_a_plan_shows_its_operators(zlib: varvite.Graph) -> None:
    assert "operator" in Page(zlib.pipeline().nodes("CALL").count()._repr_html_()).text
    assert Page(varvite.it().out("AST")._repr_html_()).text.startswith("{")


def test_a_flame_graph_cannot_reach_the_notebook(tmp_path: pathlib.Path) -> None:
    stacks = tmp_path / "stacks.folded"
    stacks.write_text("main;<script>alert(1)</script> 70\nmain;\u202eevil 30\n")
    flames = varvite.flame_graph(stacks)
    page = Page(flames._repr_html_())
    assert page.tags == {"iframe"} and 'sandbox="allow-scripts"' in flames._repr_html_()
    assert "<script>alert(1)" not in flames.page and "&lt;script&gt;alert(1)" in flames.page
    assert "\u202e" not in flames.page and "\\u{202e}evil" in flames.page
    flames.save(tmp_path / "flames.html")
    assert (tmp_path / "flames.html").read_text() == flames.page
    with pytest.raises(varvite.ArgumentError, match="samples"):
        varvite.flame_graph(stacks, measure="calls")
    with pytest.raises(varvite.IoError, match="nothing"):
        varvite.flame_graph(tmp_path / "nothing.folded")


def test_progress_is_told_to_a_function(zlib: varvite.Graph, tmp_path: pathlib.Path) -> None:
    told: list[tuple[str, int, int, bool]] = []
    assert zlib.verify(progress=lambda *report: told.append(report)) == []
    assert told and all(0 <= done <= total for _, done, total, _ in told)
    zlib.export(tmp_path / "a.cpg.bin", progress=lambda *report: told.append(report))
    varvite.import_(tmp_path / "a.cpg.bin", tmp_path / "b.varvite", progress=lambda *report: told.append(report))
    assert len({step for step, *_ in told}) > 2


def test_a_listener_that_fails_does_not_end_the_work(zlib: varvite.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*report: Any) -> None:
        raise RuntimeError("no screen")

    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: raised.append(unraisable.exc_value))
    assert zlib.verify(progress=fail) == []
    assert raised and all(isinstance(error, RuntimeError) for error in raised)


def test_a_bar_of_tqdm_appears_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress.listener(True) as told:
        assert told is None, "standard error is a pipe here"
    monkeypatch.setattr(progress, "has_screen", lambda: True)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with progress.listener(True) as told:
        assert told is not None
        for done in (0, 5, 10):
            told("columns", done, 10, False)
        told("file", 1, 100, True)
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.ModuleType("tqdm.auto"))
    with progress.listener(True) as told:
        assert told is None, "tqdm is not installed"

package varvite.generated;

import java.nio.file.Path;

/** The graphs that classes were generated from, and others to read with them; {@code cargo xtask test-java} puts them there. */
final class Graphs {
    private static final Path FOLDER = Path.of(System.getProperty("varvite.graphs"));

    /** The root of the repository. */
    static final Path ROOT = Path.of(System.getProperty("varvite.root"));

    /** The graph of zlib, with every overlay: {@code varvite.generated.cpg}. */
    static final Path ZLIB = FOLDER.resolve("zlib.varvite");

    /** A graph of the same kind, with less in it. */
    static final Path CONTENT = FOLDER.resolve("content.varvite");

    /** A graph with properties of every type, and nodes with several labels: {@code varvite.generated.awkward}. */
    static final Path AWKWARD = ROOT.resolve("conformance/files/awkward.direct.varvite");

    private Graphs() {}
}

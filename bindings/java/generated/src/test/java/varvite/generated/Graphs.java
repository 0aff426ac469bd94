package varvite.generated;

import java.nio.file.Path;

/**
 * The graphs from which classes were generated, and other graphs to read with these classes.
 * {@code cargo xtask test-java} makes the files.
 */
final class Graphs {
    private static final Path FOLDER = Path.of(System.getProperty("varvite.graphs"));

    /** The root of the repository. */
    static final Path ROOT = Path.of(System.getProperty("varvite.root"));

    /**
     * The graph of zlib, with every overlay. The package {@code varvite.generated.cpg} was generated from
     * this graph.
     */
    static final Path ZLIB = FOLDER.resolve("zlib.varvite");

    /** A code property graph with less content than {@link #ZLIB}. */
    static final Path CONTENT = FOLDER.resolve("content.varvite");

    /**
     * A graph with properties of every type and nodes with several labels. The package
     * {@code varvite.generated.awkward} was generated from this graph.
     */
    static final Path AWKWARD = ROOT.resolve("conformance/files/awkward.direct.varvite");

    private Graphs() {}
}

package varvite.joern;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import varvite.Graph;
import varvite.change.Diff;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.VarviteException;
import varvite.ffi.Applied;
import varvite.ffi.GraphChange;
import varvite.ffi.LayerSpec;

/**
 * The treatment of a mapped graph's changes when the graph is closed. The changes are either dropped or
 * written to the file in one commit, as changes of the graph itself or as a layer.
 * {@link flatgraph.Graph#persistOnClose} sets the treatment. For graphs that a program opens with
 * {@code persistOnClose}, system properties choose it. Without these properties, changes are kept in working
 * copies of Joern's workspace, as {@code save} and {@code exit} of Joern's shell promise, and are dropped for
 * other files.
 *
 * <p>Programs that keep changes in the same file never overwrite each other's changes. If another commit was
 * made since the file was opened, the file stays unchanged and closing throws an exception.
 */
public final class Persistence {
    /**
     * A system property: true to keep the changes of every file, false to keep no changes, not even those of
     * working copies.
     */
    public static final String PERSIST = "varvite.joern.persist";
    /** A system property: the name of the layer in which changes are kept. */
    public static final String LAYER = "varvite.joern.layer";
    /**
     * A system property: true to change files even if the file system has no locks, so that a second writer
     * is not kept out.
     */
    public static final String NO_LOCK = "varvite.joern.nolock";

    /** Changes are dropped, and a line on standard error says how to keep them. */
    public static final Persistence NONE = new Persistence(false, false, Optional.empty());

    /**
     * Changes are kept in the graph. The native library is checked at the first diff, because a file that is
     * only read does not need it.
     */
    private static final Persistence OF_WORKING_COPIES = new Persistence(true, true, Optional.empty());

    /** The name of the working copy in a project folder of Joern's workspace. */
    private static final String WORKING_COPY = "cpg.bin.tmp";
    private static final String SAVED_COPY = "cpg.bin";
    private static final String PROJECT = "project.json";

    private static final String TOOL = "joern";
    private static final String NOT_DURABLE = "VARVITE_E_NOT_DURABLE";

    private final boolean isKept;
    /** Whether the file is checked at the first diff instead of when it is opened. */
    private final boolean isCheckedLate;
    private final Optional<String> layer;

    private Persistence(boolean isKept, boolean isCheckedLate, Optional<String> layer) {
        this.isKept = isKept;
        this.isCheckedLate = isCheckedLate;
        this.layer = layer;
    }

    /** Changes are kept as changes of the graph itself. */
    public static Persistence inGraph() {
        return new Persistence(true, false, Optional.empty());
    }

    /**
     * Changes are kept as a layer, which can be dropped later. They may only add nodes, edges and values
     * under new names.
     */
    public static Persistence asLayer(String name) {
        return new Persistence(true, false, Optional.of(name));
    }

    /**
     * The treatment that the system properties choose for a file. Without these properties, the rule for
     * Joern's workspace decides.
     */
    public static Persistence asked(Path path) {
        Optional<String> layer = Optional.ofNullable(System.getProperty(LAYER));
        String persist = System.getProperty(PERSIST);
        if (persist == null && layer.isEmpty()) {
            return isWorkingCopy(path) ? OF_WORKING_COPIES : NONE;
        }
        return persist == null || Boolean.parseBoolean(persist) ? new Persistence(true, false, layer) : NONE;
    }

    /** Whether a file is a working copy, which Joern's workspace opens for a project and saves on closing. */
    private static boolean isWorkingCopy(Path path) {
        return path.endsWith(WORKING_COPY)
                && Files.exists(path.resolveSibling(SAVED_COPY))
                && Files.exists(path.resolveSibling(PROJECT));
    }

    /** The number of the first new edge: 0, or -1 if new edges need no numbers. */
    int firstEdge() {
        return isKept ? 0 : -1;
    }

    /**
     * Checks that the native library is found, which is needed to write files.
     *
     * @throws PersistException if the library is not found; the message says what to do
     */
    public static void checkLibrary() {
        try {
            GraphChange.checkLibrary();
        } catch (NoClassDefFoundError e) {
            throw new PersistException("varvite-ffi.jar, which writes files, is not on the class path; add it, or take the"
                    + " varvite-joern.jar of `make joern-jar`, which has all that it needs");
        } catch (VarviteException e) {
            throw new PersistException(e.getMessage(), e);
        }
    }

    /**
     * Checks, as far as possible when a file is opened, that the file can be changed in this way.
     *
     * @throws PersistException if it can't be changed
     */
    void checkAtOpening(Graph file) {
        if (!isCheckedLate) {
            check(file);
        }
    }

    /**
     * Checks before the first diff is applied that the file can be changed in this way.
     *
     * @throws PersistException if it can't be changed; no changes are lost, because none were made yet
     */
    void checkAtFirstDiff(Graph file) {
        if (!isCheckedLate) {
            return;
        }
        try {
            check(file);
        } catch (PersistException e) {
            throw new PersistException(e.getMessage() + "; -D" + PERSIST + "=false changes it in memory alone", e.reason().orElse(null));
        }
    }

    private void check(Graph file) {
        if (!isKept) {
            return;
        }
        try {
            checkLibrary();
        } catch (PersistException e) {
            throw new PersistException("no changes can be kept in " + file.path() + ": " + e.getMessage(), e.reason().orElse(null));
        }
        if (!Files.isWritable(file.path())) {
            throw new PersistException("no changes can be kept in " + file.path() + ": the file is not writable; change its permissions or use a copy");
        }
        layer.filter(name -> file.layers().stream().anyMatch(known -> known.name().equals(name))).ifPresent(name -> {
            throw new PersistException("no changes can be kept in " + file.path() + " as layer " + name + ", which it has already: remove it with `varvite"
                    + " drop-layer`, or give another name");
        });
    }

    /**
     * Writes the changes of a graph to its file and reports their number on standard error, or reports that
     * the changes are dropped.
     *
     * @param file the graph as it was opened
     * @param changes supplies the changes as a diff of the file
     * @throws PersistException if the changes can't be kept; the file is unchanged
     */
    void keep(Graph file, Supplier<Diff> changes) {
        if (!isKept) {
            System.err.println("varvite: the changes of " + file.path() + " were only in memory and are lost" + advice(file.path()));
            return;
        }
        Diff diff = changes.get();
        if (!diff.isEmpty()) {
            System.err.println("varvite: " + apply(file, diff));
        }
    }

    private static String advice(Path path) {
        return asked(path).isKept
                ? ", because the program opened it with persistOnClose = false"
                : ": `varvite joern --persist` (-D" + PERSIST + "=true) keeps it in the file, and"
                        + " flatgraph.storage.Serialization.writeGraph writes it to a cpg.bin";
    }

    /** Applies the diff, and returns a text with the number of kept changes. */
    private String apply(Graph file, Diff diff) {
        GraphChange change = GraphChange.of(file.path()).madeFor(file.identity());
        if (Boolean.getBoolean(NO_LOCK)) {
            change = change.goingWithoutLocks();
        }
        try {
            Applied applied = layer.isEmpty() ? change.apply(diff) : change.addLayer(LayerSpec.of(layer.get(), TOOL, ""), diff);
            return String.format(
                    "%s: kept %,d changes%s as commit %d (new nodes: %,d, new edges: %,d; %,d bytes)",
                    file.path(),
                    diff.size(),
                    layer.map(name -> " in layer " + name).orElse(""),
                    applied.generation(),
                    applied.nodeCount(),
                    applied.edgeCount(),
                    applied.written());
        } catch (EngineException e) {
            if (e.codeName().equals(NOT_DURABLE)) {
                return file.path() + ": kept " + diff.size() + " changes, but " + e.getMessage();
            }
            throw failure(file, e);
        } catch (VarviteException e) {
            throw failure(file, e);
        }
    }

    private PersistException failure(Graph file, VarviteException cause) {
        String where = layer.map(name -> " as layer " + name).orElse("");
        String advice = cause instanceof ChangeException && layer.isPresent()
                ? "; a layer may only add data under names that are new to the graph, and without --layer all changes are kept"
                : "";
        return new PersistException("no changes of " + file.path() + " were kept" + where + ": " + cause.getMessage() + advice, cause);
    }
}

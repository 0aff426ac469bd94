package varvite.joern;

import java.nio.file.Files;
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
 * What becomes of the changes of a mapped graph when it is closed: they are gone, or kept in its file by one
 * commit, as changes of the graph or as a layer. {@link flatgraph.Graph#persistOnClose} takes one; graphs
 * that a program opens with {@code persistOnClose} get what the system properties say.
 *
 * <p>Two programs that keep changes of one file never overwrite each other's: a file that was committed to
 * since it was opened is left as it is, and an exception says so.
 */
public final class Persistence {
    /** A system property: true where changes are to be kept. */
    public static final String PERSIST = "varvite.joern.persist";
    /** A system property: the name of the layer that changes are kept as. */
    public static final String LAYER = "varvite.joern.layer";
    /** A system property: true where files are to be changed that no lock keeps a second writer from. */
    public static final String NO_LOCK = "varvite.joern.nolock";

    /** Changes are gone, and a line on standard error says how to keep them. */
    public static final Persistence NONE = new Persistence(false, Optional.empty());

    private static final String TOOL = "joern";
    private static final String NOT_DURABLE = "VARVITE_E_NOT_DURABLE";

    private final boolean isKept;
    private final Optional<String> layer;

    private Persistence(boolean isKept, Optional<String> layer) {
        this.isKept = isKept;
        this.layer = layer;
    }

    /** Changes are kept as changes of the graph. */
    public static Persistence inGraph() {
        return new Persistence(true, Optional.empty());
    }

    /** Changes are kept as a layer, which can be dropped: if they add what has names of its own, and nothing else. */
    public static Persistence asLayer(String name) {
        return new Persistence(true, Optional.of(name));
    }

    /** What the system properties say. */
    public static Persistence asked() {
        Optional<String> layer = Optional.ofNullable(System.getProperty(LAYER));
        return Boolean.getBoolean(PERSIST) || layer.isPresent() ? new Persistence(true, layer) : NONE;
    }

    /** What new edges are numbered from: 0, or -1 if they need no numbers. */
    int firstEdge() {
        return isKept ? 0 : -1;
    }

    /**
     * Passes if a file can be changed in this way, as far as that can be known before.
     *
     * @throws PersistException if not
     */
    void check(Graph file) {
        if (!isKept) {
            return;
        }
        try {
            GraphChange.checkLibrary();
        } catch (NoClassDefFoundError e) {
            throw new PersistException("no changes can be kept in " + file.path() + ": varvite-ffi.jar, which writes files, is not on the class"
                    + " path; add it, or take the varvite-joern.jar of `make joern-jar`, which contains it");
        } catch (VarviteException e) {
            throw new PersistException("no changes can be kept in " + file.path() + ": " + e.getMessage(), e);
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
     * Keeps the changes of a graph in its file, and says what was kept on standard error; or says that they
     * are gone.
     *
     * @param file as it was opened
     * @param changes as a diff of the file
     * @throws PersistException if they could not be kept; the file is as it was
     */
    void keep(Graph file, Supplier<Diff> changes) {
        if (!isKept) {
            System.err.println("varvite: the changes of " + file.path() + " were only in memory and are lost" + advice());
            return;
        }
        Diff diff = changes.get();
        if (!diff.isEmpty()) {
            System.err.println("varvite: " + apply(file, diff));
        }
    }

    private static String advice() {
        return asked().isKept
                ? ", because the program opened it with persistOnClose = false"
                : ": `varvite joern --persist` (-D" + PERSIST + "=true) keeps it in the file, and"
                        + " flatgraph.storage.Serialization.writeGraph writes it to a cpg.bin";
    }

    /** What was kept, in words. */
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

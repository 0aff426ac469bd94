package varvite.bench.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The interface to a peer: how a file becomes a graph, and the questions that the peer answers about it.
 *
 * @param <G> a graph in the engine's memory
 */
public interface Engine<G> {
    /** The name in results. */
    String name();

    /** The version of the library that is measured. */
    String version();

    /** The whole file, decoded. */
    G load(Path path) throws IOException;

    /** The first question about a graph: the number of its METHODs. */
    long countMethods(G graph);

    /** Writes the graph to a new file. */
    void save(G graph, Path target) throws IOException;

    /** Every other question, by the name that all peers share. */
    Map<String, Workload<G>> workloads();
}

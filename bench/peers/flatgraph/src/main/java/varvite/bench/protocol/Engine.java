package varvite.bench.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A peer's engine, which loads a file as a graph, and answers questions about the graph.
 *
 * @param <G> a graph in the engine's memory
 */
public interface Engine<G> {
    /** The name of the engine in results. */
    String name();

    /** The version of the measured library. */
    String version();

    /** Loads and decodes the whole file. */
    G load(Path path) throws IOException;

    /** Answers the first question about a loaded graph: the number of its METHODs. */
    long countMethods(G graph);

    /** Writes the graph to a new file. */
    void save(G graph, Path target) throws IOException;

    /** All other questions, by the names that all peers share. */
    Map<String, Workload<G>> workloads();
}

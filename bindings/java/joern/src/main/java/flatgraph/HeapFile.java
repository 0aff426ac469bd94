package flatgraph;

import flatgraph.storage.Deserialization;
import flatgraph.storage.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import scala.Option;

/** Reads flatgraph files with flatgraph's own classes. */
final class HeapFile {
    private HeapFile() {}

    /** The graph of a file, or an empty graph if the file is empty or does not exist. */
    static Graph open(Schema schema, Path path, boolean persistOnClose) {
        try {
            if (Files.exists(path) && Files.size(path) > 0) {
                return Deserialization.readGraph(path, Option.apply(schema), persistOnClose, Option.empty());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Graph(schema, persistOnClose ? Option.apply(path) : Option.empty());
    }

    static void write(Graph graph, Path path) {
        Serialization.writeGraph(graph, path, Option.empty());
    }
}

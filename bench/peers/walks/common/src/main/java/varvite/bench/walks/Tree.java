package varvite.bench.walks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the tables of the tree, {@code nodes.csv} and {@code relationships.csv}. Their fields have no quotes.
 */
public final class Tree {
    private Tree() {}

    /** Receives a node. Ids count from 0, and a parent comes before its children. */
    public interface NodeTaker {
        void take(int id, boolean value, String[] labels);
    }

    /** Receives an edge. */
    public interface EdgeTaker {
        void take(int source, int target, String type);
    }

    public static void read(Path folder, NodeTaker nodes, EdgeTaker edges) throws IOException {
        try (BufferedReader lines = table(folder, "nodes.csv", ":ID,value:boolean,:LABEL")) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",");
                nodes.take(Integer.parseInt(fields[0]), Boolean.parseBoolean(fields[1]), fields[2].split(";"));
            }
        }
        try (BufferedReader lines = table(folder, "relationships.csv", ":START_ID,:END_ID,:TYPE")) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",");
                edges.take(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), fields[2]);
            }
        }
    }

    private static BufferedReader table(Path folder, String name, String header) throws IOException {
        BufferedReader lines = Files.newBufferedReader(folder.resolve(name));
        String first = lines.readLine();
        if (!header.equals(first)) {
            throw new IOException(name + " begins with `" + first + "`: expected `" + header + "`");
        }
        return lines;
    }
}

package varvite.bench.walks.neo4j;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/**
 * {@code Main TABLES STORE}: runs embedded Neo4j in the benchmark of walks. If the folder STORE does not hold
 * the tree of the tables yet, the tree is loaded first.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> Neo4jSide.open(Path.of(arguments[0]), Path.of(arguments[1])));
    }
}

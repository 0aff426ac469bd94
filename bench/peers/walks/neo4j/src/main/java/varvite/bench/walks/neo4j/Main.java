package varvite.bench.walks.neo4j;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/**
 * {@code Main TABLES STORE}: the side Neo4j, embedded. The folder STORE holds the tree of the tables; if it
 * does not, the tree is loaded first.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> Neo4jSide.open(Path.of(arguments[0]), Path.of(arguments[1])));
    }
}

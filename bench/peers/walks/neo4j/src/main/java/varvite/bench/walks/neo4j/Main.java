package varvite.bench.walks.neo4j;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/** {@code Main TABLES STORE}: Neo4j, embedded, with the tree of these tables in the folder STORE, where it is made once. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> Neo4jSide.open(Path.of(arguments[0]), Path.of(arguments[1])));
    }
}

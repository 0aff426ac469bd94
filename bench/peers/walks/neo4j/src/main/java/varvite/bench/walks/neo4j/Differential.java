package varvite.bench.walks.neo4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;

/**
 * {@code Differential FOLDER STORE}: runs walks in Neo4j, from files that a test of Varvite wrote. Neo4j must
 * find the same paths as Varvite, in the same sequence. {@code crates/varvite/tests/walks/neo4j.rs} describes
 * the files. The exit code is 1 if paths differ.
 */
public final class Differential {
    private int walks;
    private long paths;
    private int differences;

    private Differential() {}

    public static void main(String[] arguments) throws IOException {
        var service = new DatabaseManagementServiceBuilder(Path.of(arguments[1]).toAbsolutePath().normalize())
                .setConfig(GraphDatabaseSettings.pagecache_memory, 64L << 20)
                .build();
        var differential = new Differential();
        try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
            GraphDatabaseService database = service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
            for (Path file : files.filter(file -> file.toString().endsWith(".walks")).sorted().toList()) {
                differential.compare(database, file);
            }
        } finally {
            service.shutdown();
        }
        System.out.printf(
                "%d walks, %d paths, %d differences%n", differential.walks, differential.paths, differential.differences);
        System.exit(differential.differences == 0 && differential.walks > 0 ? 0 : 1);
    }

    /** Compares the walks of a file. They read the graph in an open transaction, which is never committed. */
    private void compare(GraphDatabaseService database, Path file) throws IOException {
        try (Transaction transaction = database.beginTx()) {
            var graph = new WrittenGraph(transaction);
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split("\t");
                if (fields[0].equals("walk")) {
                    compare(graph, file, line, new WrittenWalk(graph, fields));
                } else {
                    graph.take(fields);
                }
            }
        }
    }

    private void compare(WrittenGraph graph, Path file, String line, WrittenWalk walk) {
        List<String> expected = walk.expected();
        List<String> found = walk.walk(expected.size());
        walks++;
        paths += found.size();
        if (!found.equals(expected)) {
            differences++;
            System.out.printf("%s: %s%n  Neo4j: %s%n", file.getFileName(), line, String.join(";", found));
        }
    }
}

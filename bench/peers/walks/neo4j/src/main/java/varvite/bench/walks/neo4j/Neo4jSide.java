package varvite.bench.walks.neo4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.PathExpander;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.traversal.BranchState;
import org.neo4j.graphdb.traversal.Evaluation;
import org.neo4j.graphdb.traversal.Evaluator;
import org.neo4j.graphdb.traversal.TraversalDescription;
import org.neo4j.graphdb.traversal.Uniqueness;
import varvite.bench.walks.Side;
import varvite.bench.walks.Tree;

/**
 * Runs walks with Neo4j's traversal framework, as the articles use it: without uniqueness, and with an
 * evaluator and an expander that read labels.
 */
final class Neo4jSide implements Side {
    private static final Label ROOT = Label.label("Root");
    private static final Label A = Label.label("A");
    private static final Label B = Label.label("B");
    private static final RelationshipType HAS_A = RelationshipType.withName("HAS_A");
    private static final RelationshipType HAS_B = RelationshipType.withName("HAS_B");
    /** The number of nodes or edges that a transaction adds while the store is filled. */
    private static final int BATCH = 50_000;

    private final DatabaseManagementService service;
    private final GraphDatabaseService database;
    private final Counting counting = new Counting();
    private String rootId;

    private Neo4jSide(DatabaseManagementService service) {
        this.service = service;
        this.database = service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
    }

    /** Opens the store, and fills it from the tables if it was not filled before. */
    static Neo4jSide open(Path tables, Path store) throws IOException {
        Path done = store.resolve("filled");
        boolean isFilled = Files.exists(done);
        Files.createDirectories(store);
        var service = new DatabaseManagementServiceBuilder(store.toAbsolutePath().normalize())
                .setConfig(GraphDatabaseSettings.pagecache_memory, 512L << 20)
                .build();
        var side = new Neo4jSide(service);
        if (!isFilled) {
            new Filling(side.database).fill(tables);
            Files.writeString(done, "");
        }
        try (Transaction transaction = side.database.beginTx(); var roots = transaction.findNodes(ROOT)) {
            side.rootId = roots.next().getElementId();
        }
        return side;
    }

    @Override
    public String version() {
        return GraphDatabaseService.class.getPackage().getImplementationVersion();
    }

    @Override
    public List<String> walks() {
        return List.of("depth_first", "breadth_first");
    }

    @Override
    public long walk(String name) {
        counting.clear();
        try (Transaction transaction = database.beginTx()) {
            Node root = transaction.getNodeByElementId(rootId);
            TraversalDescription description = transaction.traversalDescription()
                    .uniqueness(Uniqueness.NONE)
                    .expand(counting)
                    .evaluator(counting);
            description = name.equals("depth_first") ? description.depthFirst() : description.breadthFirst();
            long results = 0;
            for (var path : description.traverse(root)) {
                results++;
            }
            return results;
        }
    }

    @Override
    public Counts counts() {
        return new Counts(counting.expansions, counting.labelTests, counting.propertyReads);
    }

    @Override
    public void close() {
        service.shutdown();
    }

    /** The expander and the evaluator of the articles, which count their reads. */
    private static final class Counting implements PathExpander<Object>, Evaluator {
        long expansions;
        long labelTests;
        long propertyReads;

        void clear() {
            expansions = 0;
            labelTests = 0;
            propertyReads = 0;
        }

        @Override
        public ResourceIterable<Relationship> expand(org.neo4j.graphdb.Path path, BranchState<Object> state) {
            expansions++;
            Node node = path.endNode();
            if (has(node, A)) {
                return node.getRelationships(Direction.OUTGOING, HAS_B);
            }
            if (has(node, B)) {
                return node.getRelationships(Direction.OUTGOING, HAS_A);
            }
            throw new IllegalStateException("a node that is neither A nor B");
        }

        @Override
        public PathExpander<Object> reverse() {
            throw new UnsupportedOperationException("walks go one way");
        }

        @Override
        public Evaluation evaluate(org.neo4j.graphdb.Path path) {
            Node node = path.endNode();
            return Evaluation.ofIncludes(has(node, B) && value(node));
        }

        private boolean has(Node node, Label label) {
            labelTests++;
            return node.hasLabel(label);
        }

        private boolean value(Node node) {
            propertyReads++;
            return (Boolean) node.getProperty("value");
        }
    }

    /** Fills an empty store, in transactions of some thousand nodes or edges. */
    private static final class Filling {
        private final GraphDatabaseService database;
        private Transaction transaction;
        private int pending;
        private String[] ids = new String[1 << 16];

        Filling(GraphDatabaseService database) {
            this.database = database;
        }

        void fill(Path tables) throws IOException {
            transaction = database.beginTx();
            Tree.read(tables, this::addNode, this::addEdge);
            transaction.commit();
            transaction.close();
        }

        private void addNode(int id, boolean value, String[] labels) {
            Node node = transaction.createNode();
            for (String label : labels) {
                node.addLabel(Label.label(label));
            }
            node.setProperty("value", value);
            if (id >= ids.length) {
                ids = java.util.Arrays.copyOf(ids, 2 * ids.length);
            }
            ids[id] = node.getElementId();
            commitIfFull();
        }

        private void addEdge(int source, int target, String type) {
            Node from = transaction.getNodeByElementId(ids[source]);
            Node to = transaction.getNodeByElementId(ids[target]);
            from.createRelationshipTo(to, RelationshipType.withName(type));
            commitIfFull();
        }

        private void commitIfFull() {
            pending++;
            if (pending == BATCH) {
                transaction.commit();
                transaction.close();
                transaction = database.beginTx();
                pending = 0;
            }
        }
    }
}

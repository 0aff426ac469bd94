package varvite.bench.flatgraph;

import flatgraph.DiffGraphApplier;
import flatgraph.DiffGraphBuilder;
import flatgraph.FormalQtyType;
import flatgraph.FreeSchema;
import flatgraph.GNode;
import flatgraph.GenericDNode;
import flatgraph.Graph;
import flatgraph.misc.SchemaViolationReporter;
import flatgraph.storage.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.collection.immutable.Set;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Makes random graphs with features that real graphs seldom have, and writes them with flatgraph: several
 * roots, nodes outside the syntax tree, deleted nodes, parallel edges and loops, lists, absent and empty
 * values, texts beyond ASCII, properties that are named like columns, and edges with values of every type.
 * For half of the seeds the AST edges do not form a tree, but include nodes with two parents, and cycles.
 *
 * <p>Equal seeds give equal graphs.
 */
final class OddGraph {
    private static final String[] LABELS = {"METHOD", "CALL", "BLOCK", "FILE", "Größe", "Z_LAST", "NEVER"};
    private static final String[] PROPERTIES = {
        "NAME", "CODE", "FULL_NAME", "ORDER", "IS_EXTERNAL", "LINES", "WORDS", "BIG", "RATIO", "WEIGHT", "TINY", "OWNER",
        // These properties have the names of columns.
        "node", "label", "count", "source"
    };
    private static final Object[] PROPERTY_TYPES = {
        new String[0], new String[0], new String[0], new int[0], new boolean[0], new int[0], new String[0], new long[0],
        new double[0], new float[0], new byte[0], new GNode[0],
        new String[0], new String[0], new int[0], new String[0]
    };
    private static final String[] EDGES = {"AST", "CALL", "CFG", "REACHING_DEF", "WEIGHS", "MARKS", "FLAGS", "Über"};
    private static final Object[] EDGE_TYPES = {null, null, null, new String[0], new int[0], new double[0], new boolean[0], null};
    private static final int FIRST_NUMBERED = 4;
    private static final String[] TEXTS = {
        "", "a", "aa", "ab", "main", "memcpy", "memset", "größe", "日本", "🌍🌍", "x\ny", "tab\there", "\"quoted\\\"", "<empty>",
        "A", "z", "aaa", " ", "\u0001", "memcpy(a, b)", "é", "e\u0301"
    };

    private final Random random;
    private final boolean isTangled;
    private final Object[] edgeTypes;
    private final FreeSchema schema;
    private final Graph graph;
    private final List<GNode> nodes = new ArrayList<>();

    private OddGraph(long seed) {
        random = new Random(seed);
        isTangled = (seed & 1) == 1;
        var quantities = new FormalQtyType.FormalQuantity[PROPERTIES.length];
        Arrays.fill(quantities, FormalQtyType.QtyMulti$.MODULE$);
        edgeTypes = edgeTypes();
        schema = new FreeSchema(
                LABELS, PROPERTIES, PROPERTY_TYPES, Map$.MODULE$.<String, Set<String>>empty(), EDGES, edgeTypes, quantities);
        graph = new Graph(schema, Option.empty());
    }

    static void write(long seed, Path target) {
        var odd = new OddGraph(seed);
        odd.addNodes();
        odd.addTree();
        odd.addEdges();
        odd.addValues();
        odd.deleteNodes();
        Serialization.writeGraph(odd.graph, target, Option.empty());
    }

    /**
     * The types of the edge labels' values. Often only one edge label besides REACHING_DEF has values.
     * Varvite gives the properties of all such labels the same name, and the comparison does not read a
     * property that several labels have.
     */
    private Object[] edgeTypes() {
        Object[] types = EDGE_TYPES.clone();
        int only = FIRST_NUMBERED + random.nextInt(4);
        for (int edge = FIRST_NUMBERED; edge < types.length && only < types.length - 1; edge++) {
            types[edge] = edge == only ? types[edge] : null;
        }
        return types;
    }

    private void addNodes() {
        DiffGraphBuilder changes = changes();
        var added = new ArrayList<GenericDNode>();
        for (int i = 30 + random.nextInt(200); i > 0; i--) {
            // No node gets the last label.
            var node = new GenericDNode((short) random.nextInt(LABELS.length - 1), Option.empty());
            added.add(node);
            changes.addNode(node);
        }
        apply(changes);
        added.forEach(node -> nodes.add(node.storedRef().get()));
    }

    /**
     * Adds the syntax tree: most nodes get an earlier node as parent, and the others are roots or outside of
     * the tree.
     */
    private void addTree() {
        DiffGraphBuilder changes = changes();
        for (int i = 1; i < nodes.size(); i++) {
            if (random.nextInt(8) > 0) {
                changes.addEdge(nodes.get(random.nextInt(Math.min(i, 1 + random.nextInt(i)))), nodes.get(i), "AST", null);
            }
            if (isTangled && random.nextInt(12) == 0) {
                changes.addEdge(any(), nodes.get(i), "AST", null);
            }
        }
        apply(changes);
    }

    private void addEdges() {
        DiffGraphBuilder changes = changes();
        for (int i = nodes.size() * 3; i > 0; i--) {
            int edge = 1 + random.nextInt(EDGES.length - 1);
            GNode source = random.nextInt(4) == 0 ? nodes.get(0) : any();
            GNode target = random.nextInt(6) == 0 ? source : random.nextInt(5) == 0 ? nodes.get(1) : any();
            for (int parallel = random.nextInt(8) == 0 ? 3 : 1; parallel > 0; parallel--) {
                changes.addEdge(source, target, EDGES[edge], edgeValue(edge));
            }
        }
        apply(changes);
    }

    private Object edgeValue(int edge) {
        return edgeTypes[edge] == null ? null : switch (EDGES[edge]) {
            case "REACHING_DEF" -> random.nextInt(5) == 0 ? null : text();
            case "WEIGHS" -> random.nextInt(7) - 3;
            case "MARKS" -> (random.nextInt(9) - 4) / 4.0;
            case "FLAGS" -> random.nextBoolean();
            default -> null;
        };
    }

    private void addValues() {
        DiffGraphBuilder changes = changes();
        for (GNode node : nodes) {
            for (int property = 0; property < PROPERTIES.length; property++) {
                // Some labels lack some properties altogether.
                if ((node.nodeKind + property) % 5 != 0 && random.nextInt(4) > 0) {
                    changes.setNodeProperty(node, PROPERTIES[property], nodeValue(PROPERTIES[property]));
                }
            }
        }
        apply(changes);
    }

    private Object nodeValue(String property) {
        return switch (property) {
            case "ORDER", "count" -> random.nextInt(10) - 2;
            case "IS_EXTERNAL" -> random.nextBoolean();
            case "LINES" -> list(() -> random.nextInt(6));
            case "WORDS" -> list(this::text);
            case "BIG" -> random.nextInt(3) == 0 ? random.nextLong() >> 2 : (long) random.nextInt(4);
            case "RATIO" -> (random.nextInt(17) - 8) / 4.0;
            case "WEIGHT" -> (random.nextInt(17) - 8) / 8.0f;
            case "TINY" -> (byte) (random.nextInt(256) - 128);
            case "OWNER" -> any();
            default -> text();
        };
    }

    private Seq<Object> list(Supplier<Object> next) {
        var values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(next.get());
        }
        return CollectionConverters.asScala(values).toList();
    }

    private void deleteNodes() {
        DiffGraphBuilder changes = changes();
        for (int i = random.nextInt(6); i > 0; i--) {
            changes.removeNode(any());
        }
        apply(changes);
    }

    private GNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private DiffGraphBuilder changes() {
        return new DiffGraphBuilder(schema, new SchemaViolationReporter());
    }

    private void apply(DiffGraphBuilder changes) {
        DiffGraphApplier.applyDiff(graph, changes);
    }
}

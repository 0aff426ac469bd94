package varvite.bench.walks.tinkergraph;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import varvite.bench.walks.Side;
import varvite.bench.walks.Tree;

/**
 * Runs two kinds of walks in TinkerGraph: loops over its vertices, with a stack of iterators or a queue, and
 * Gremlin's {@code repeat}, which chooses its own order. A vertex has only one label here; the root has the
 * label A.
 */
final class TinkerSide implements Side {
    private final TinkerGraph graph = TinkerGraph.open();
    private final GraphTraversalSource gremlin = graph.traversal();
    private Vertex root;
    private long expansions;
    private long labelTests;
    private long propertyReads;

    private TinkerSide() {}

    static TinkerSide open(Path tables) throws IOException {
        var side = new TinkerSide();
        List<Vertex> vertices = new ArrayList<>();
        Tree.read(
                tables,
                (id, value, labels) -> {
                    String label = labels[labels.length - 1];
                    vertices.add(side.graph.addVertex(T.id, (long) id, T.label, label, "value", value));
                },
                (source, target, type) -> vertices.get(source).addEdge(type, vertices.get(target)));
        side.root = vertices.get(0);
        return side;
    }

    @Override
    public String version() {
        return TinkerGraph.class.getPackage().getImplementationVersion();
    }

    @Override
    public List<String> walks() {
        return List.of("depth_first", "breadth_first", "gremlin");
    }

    @Override
    public long walk(String name) {
        expansions = 0;
        labelTests = 0;
        propertyReads = 0;
        return switch (name) {
            case "depth_first" -> depthFirst();
            case "breadth_first" -> breadthFirst();
            case "gremlin" -> gremlin();
            default -> throw new IllegalArgumentException("no walk " + name);
        };
    }

    private long depthFirst() {
        long results = isResult(root) ? 1 : 0;
        var stack = new ArrayDeque<Iterator<Vertex>>();
        stack.push(expand(root));
        while (!stack.isEmpty()) {
            Iterator<Vertex> siblings = stack.peek();
            if (!siblings.hasNext()) {
                stack.pop();
                continue;
            }
            Vertex vertex = siblings.next();
            results += isResult(vertex) ? 1 : 0;
            stack.push(expand(vertex));
        }
        return results;
    }

    private long breadthFirst() {
        long results = 0;
        var queue = new ArrayDeque<Vertex>();
        queue.add(root);
        while (!queue.isEmpty()) {
            Vertex vertex = queue.remove();
            results += isResult(vertex) ? 1 : 0;
            expand(vertex).forEachRemaining(queue::add);
        }
        return results;
    }

    private long gremlin() {
        return gremlin.V(root.id())
                .emit(__.hasLabel("B").has("value", true))
                .repeat(__.out("HAS_B", "HAS_A"))
                .count()
                .next();
    }

    private Iterator<Vertex> expand(Vertex vertex) {
        expansions++;
        return vertex.vertices(Direction.OUT, has(vertex, "A") ? "HAS_B" : "HAS_A");
    }

    private boolean isResult(Vertex vertex) {
        return has(vertex, "B") && value(vertex);
    }

    private boolean has(Vertex vertex, String label) {
        labelTests++;
        return vertex.label().equals(label);
    }

    private boolean value(Vertex vertex) {
        propertyReads++;
        return vertex.<Boolean>value("value");
    }

    @Override
    public Counts counts() {
        return new Counts(expansions, labelTests, propertyReads);
    }

    @Override
    public void close() {
        graph.close();
    }
}

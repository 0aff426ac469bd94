package varvite.bench.typed;

import flatgraph.GNode;
import flatgraph.Graph;
import flatgraph.storage.Deserialization;
import io.shiftleft.codepropertygraph.generated.GraphSchema$;
import io.shiftleft.codepropertygraph.generated.accessors.Accessors;
import io.shiftleft.codepropertygraph.generated.nodes.AstNodeBase;
import io.shiftleft.codepropertygraph.generated.nodes.Call;
import io.shiftleft.codepropertygraph.generated.nodes.StoredNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import scala.Option;

/**
 * Sums ORDER over the same nodes as {@link VarviteOrderBenchmark}, with the classes that flatgraph generated
 * from the code property graph's schema. The sum is computed through an interface, which tests the class of
 * each node, and by reading the property itself.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FlatgraphOrderBenchmark {
    /** The order of the nodes. */
    @Param({"STORED", "SHUFFLED"})
    public NodeOrder order;

    private AstNodeBase[] treeNodes;
    private StoredNode[] treeNodesErased;
    private Call[] calls;

    /** Loads the graph and lists nodes, which is not measured. */
    @Setup
    public void load() {
        Graph graph = Deserialization.readGraph(
                Path.of(System.getProperty("varvite.bench.cpg")), Option.apply(GraphSchema$.MODULE$), false, Option.empty());
        Stream<GNode> nodes = Arrays.stream(graph.nodesArray()).flatMap(Arrays::stream);
        treeNodes = order.of(nodes.filter(AstNodeBase.class::isInstance).toArray(AstNodeBase[]::new));
        treeNodesErased = Arrays.stream(treeNodes).toArray(StoredNode[]::new);
        calls = Arrays.stream(treeNodes).filter(Call.class::isInstance).toArray(Call[]::new);
        System.out.println(treeNodes.length + " tree nodes, sum " + interfaceOfTree() + "; " + calls.length + " calls, sum "
                + classOfCalls());
    }

    /** Sums through the interface of syntax tree nodes. */
    @Benchmark
    public long interfaceOfTree() {
        long sum = 0;
        for (AstNodeBase node : treeNodes) {
            sum += Accessors.AccessAstnodeBase$.MODULE$.order$extension(node);
        }
        return sum;
    }

    /**
     * Sums by the property, regardless of the node's class. Calls through the interface end in the same read.
     */
    @Benchmark
    public long propertyOfTree() {
        long sum = 0;
        for (StoredNode node : treeNodesErased) {
            sum += Accessors.AccessPropertyOrder$.MODULE$.order$extension(node);
        }
        return sum;
    }

    /** Sums over the nodes of one label, whose class the compiler knows. */
    @Benchmark
    public long classOfCalls() {
        long sum = 0;
        for (Call node : calls) {
            sum += Accessors.AccessPropertyOrder$.MODULE$.order$extension(node);
        }
        return sum;
    }

    /** Sums over the nodes of one label, through the interface. */
    @Benchmark
    public long interfaceOfCalls() {
        long sum = 0;
        for (Call node : calls) {
            sum += Accessors.AccessAstnodeBase$.MODULE$.order$extension(node);
        }
        return sum;
    }
}

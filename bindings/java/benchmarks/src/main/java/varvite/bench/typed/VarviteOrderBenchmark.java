package varvite.bench.typed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import varvite.IntProperty;
import varvite.generated.cpg.AnyNode;
import varvite.generated.cpg.Call;
import varvite.generated.cpg.Columns;
import varvite.generated.cpg.Cpg;
import varvite.generated.cpg.HasOrder;

/**
 * Sums ORDER with generated accessors, over all nodes of the syntax tree or over those of one label. The
 * accessors are the column, a handle whose class the compiler knows, a handle whose static type is an
 * interface, and handles of each node's own class. {@code FlatgraphOrderBenchmark} measures the same with
 * flatgraph's generated classes. System properties name the graphs as for {@code CodeLoopsBenchmark}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class VarviteOrderBenchmark {
    /** The order of the nodes. */
    @Param({"STORED", "SHUFFLED"})
    public NodeOrder order;

    private Cpg cpg;
    private Columns columns;
    private IntProperty column;
    private int[] treeNodes;
    private int[] calls;
    private Call call;
    private HasOrder callAsInterface;
    private AnyNode any;
    private HasOrder anyAsInterface;
    private HasOrder[] handles;

    /** Opens the graph and lists nodes, which is not measured. */
    @Setup
    public void open() throws IOException {
        cpg = Cpg.open(Path.of(System.getProperty("varvite.bench.graph")));
        columns = cpg.columns();
        column = columns.order();
        treeNodes = order.of(column.owners().toArray());
        calls = order.of(cpg.calls().ids().toArray());
        call = new Call(cpg);
        callAsInterface = new Call(cpg);
        any = new AnyNode(cpg);
        anyAsInterface = new AnyNode(cpg);
        handles = Arrays.stream(treeNodes).mapToObj(id -> (HasOrder) cpg.node(id)).toArray(HasOrder[]::new);
        System.out.println(treeNodes.length + " tree nodes, sum " + columnOfTree() + "; " + calls.length + " calls, sum "
                + classOfCalls());
    }

    /** Closes the graph. */
    @TearDown
    public void close() {
        cpg.close();
    }

    /** Sums by the column, without generated code. The other results are compared with this one. */
    @Benchmark
    public long rawColumnOfTree() {
        long sum = 0;
        for (int id : treeNodes) {
            sum += column.get(id, -1);
        }
        return sum;
    }

    /** Sums by the generated class of columns. */
    @Benchmark
    public long columnOfTree() {
        long sum = 0;
        for (int id : treeNodes) {
            sum += columns.order(id);
        }
        return sum;
    }

    /** Sums by one handle that is moved from node to node; the compiler knows its class. */
    @Benchmark
    public long classOfTree() {
        long sum = 0;
        for (int id : treeNodes) {
            sum += any.at(id).order();
        }
        return sum;
    }

    /**
     * Sums by one handle that is moved from node to node and whose static type is an interface, over nodes of
     * many labels. In flatgraph this is the megamorphic case.
     */
    @Benchmark
    public long interfaceOfTree() {
        long sum = 0;
        for (int id : treeNodes) {
            sum += anyAsInterface.at(id).order();
        }
        return sum;
    }

    /**
     * Sums by handles that were made before, each of the class for its label, so that the virtual machine has
     * to dispatch each call.
     */
    @Benchmark
    public long handlesOfTree() {
        long sum = 0;
        for (HasOrder handle : handles) {
            sum += handle.order();
        }
        return sum;
    }

    /** Sums by the same handles, through the static method of the interface. */
    @Benchmark
    public long staticOfTree() {
        long sum = 0;
        for (HasOrder handle : handles) {
            sum += HasOrder.order(handle);
        }
        return sum;
    }

    /** Sums by one handle, of the class for a single label, that is moved from node to node. */
    @Benchmark
    public long classOfCalls() {
        long sum = 0;
        for (int id : calls) {
            sum += call.at(id).order();
        }
        return sum;
    }

    /** Sums by the same handle, whose static type is now an interface. */
    @Benchmark
    public long interfaceOfCalls() {
        long sum = 0;
        for (int id : calls) {
            sum += callAsInterface.at(id).order();
        }
        return sum;
    }
}

package varvite.generated;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.NeighborCursor;
import varvite.generated.cpg.AnyNode;
import varvite.generated.cpg.Call;
import varvite.generated.cpg.Columns;
import varvite.generated.cpg.Cpg;
import varvite.generated.cpg.HasOrder;
import varvite.generated.cpg.Method;
import varvite.testing.Allocation;

/**
 * Tests that moving columns and handles allocates nothing, regardless of the static type of the caller's
 * variable.
 */
class HandleAllocationTest {
    private static final int ROUNDS = 200_000;
    /** The bytes per call that the counter itself and other work of the virtual machine may allocate. */
    private static final double NOISE = 0.01;

    private static Cpg cpg;

    @BeforeAll
    static void open() throws IOException {
        cpg = Cpg.open(Graphs.ZLIB);
    }

    @AfterAll
    static void close() {
        cpg.close();
    }

    @Test
    void anAllocationIsSeen() {
        assumeTrue(Allocation.isCounted());
        assertTrue(perCall(node -> cpg.node(node).id()) > 8);
    }

    @TestFactory
    Stream<DynamicTest> nothingIsAllocated() {
        Columns columns = cpg.columns();
        Call call = new Call(cpg);
        Method method = new Method(cpg);
        HasOrder order = new AnyNode(cpg);
        NeighborCursor callees = columns.callOut().cursor();
        return Stream.of(
                quiet("column of ints", columns::order),
                quiet("column of optional ints", node -> columns.lineNumber(node, -1)),
                quiet("column of truth values", node -> columns.isExternal(node) ? 1 : 0),
                quiet("code of a text", columns::nameCode),
                quiet("parent", columns::astInId),
                quiet("handle", node -> call.at(node).order() + call.nameCode() + call.lineNumber(0)),
                quiet("handle of another class", node -> method.at(node).isExternal() ? 1 : 0),
                quiet("interface", node -> order.at(node).order()),
                quiet("static method of an interface", node -> HasOrder.order(order.at(node))),
                quiet("next of a label", node -> cpg.calls().next(node)),
                quiet("neighbours", node -> {
                    long sum = 0;
                    for (callees.of(node); callees.next(); ) {
                        sum += method.at(callees.node()).order();
                    }
                    return sum;
                }));
    }

    private static DynamicTest quiet(String name, IntToLongFunction read) {
        return dynamicTest(name, () -> {
            assumeTrue(Allocation.isCounted());
            double bytes = perCall(read);
            assertTrue(bytes <= NOISE, bytes + " bytes for a call");
        });
    }

    private static double perCall(IntToLongFunction read) {
        int nodes = cpg.graph().nodeCount();
        return Allocation.perCall(ROUNDS, i -> read.applyAsLong(i % nodes));
    }
}

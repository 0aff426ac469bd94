package varvite.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import varvite.error.GraphClosedException;
import varvite.error.NoSuchNodeException;
import varvite.error.UnknownNameException;
import varvite.error.WrongTypeException;
import varvite.generated.cpg.AnyNode;
import varvite.generated.cpg.Call;
import varvite.generated.cpg.Cpg;
import varvite.generated.cpg.HasAstIn;
import varvite.generated.cpg.HasAstOut;
import varvite.generated.cpg.HasOrder;
import varvite.generated.cpg.Identifier;
import varvite.generated.cpg.Method;
import varvite.generated.cpg.Node;
import varvite.generated.cpg.TypeDecl;

/**
 * Compares the answers of classes that were generated from a code property graph with flatgraph's answers.
 */
class CodeGraphTest {
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
    void labelsHaveAsManyNodes() {
        Map<String, Long> expected = ExpectedAnswers.numbers("labels");
        assertEquals(expected.get("METHOD"), cpg.methods().size());
        assertEquals(expected.get("CALL"), cpg.calls().stream().count());
        assertEquals(expected.get("META_DATA"), cpg.metaData().size());
        long sum = 0;
        for (Identifier identifier : cpg.identifiers()) {
            sum += cpg.identifiers().contains(identifier.id()) ? 1 : 0;
        }
        assertEquals(expected.get("IDENTIFIER"), sum);
        assertTrue(cpg.findings().isEmpty() && cpg.findings().first().isEmpty());
    }

    @Test
    void everyNodeIsOfTheClassOfItsLabel() {
        Map<String, Long> found = new TreeMap<>();
        for (int node = 0; node < cpg.graph().nodeCount(); node++) {
            found.merge(kind(cpg.node(node)), 1L, Long::sum);
        }
        assertEquals(ExpectedAnswers.numbers("labels"), found);
    }

    @Test
    void theTreeJoinsTheSameLabels() {
        Map<String, Long> found = new TreeMap<>();
        for (int node = 0; node < cpg.graph().nodeCount(); node++) {
            if (cpg.node(node) instanceof HasAstOut parent) {
                for (HasAstIn child : parent.astOut()) {
                    found.merge("AST " + kind(parent) + " " + kind(child), 1L, Long::sum);
                    assertEquals(parent, child.astIn().orElseThrow());
                    assertEquals(node, child.astInId());
                }
            }
        }
        Map<String, Long> expected = ExpectedAnswers.numbers("edge_triples");
        expected.keySet().removeIf(triple -> !triple.startsWith("AST "));
        assertEquals(expected, found);
    }

    /** The label that a handle's class stands for. */
    private static String kind(Node node) {
        try {
            return (String) node.getClass().getField("LABEL").get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void walksCountTheSame() {
        long below = 0;
        for (Method method : cpg.methods()) {
            below += 1 + below(method);
        }
        assertEquals(ExpectedAnswers.number("ast_descendants_per_method_sum"), below);

        long hops = 0;
        Identifier identifier = new Identifier(cpg);
        for (int node = cpg.identifiers().next(0); node >= 0; node = cpg.identifiers().next(node + 1)) {
            for (int at = identifier.at(node).astInId(); at >= 0; at = cpg.columns().astInId(at)) {
                hops++;
                if (cpg.methods().contains(at)) {
                    break;
                }
            }
        }
        assertEquals(ExpectedAnswers.number("identifier_ast_up_to_method_hops"), hops);
    }

    private static long below(HasAstOut node) {
        long count = 0;
        for (HasAstIn child : node.astOut()) {
            count += 1 + (child instanceof HasAstOut parent ? below(parent) : 0);
        }
        return count;
    }

    @Test
    void calleesAndNamesAreTheSame() {
        long chars = 0;
        for (Call call : cpg.calls()) {
            for (Method callee : call.callOut()) {
                chars += callee.fullName().length();
            }
        }
        assertEquals(ExpectedAnswers.number("callee_full_name_chars"), chars);
        Map<String, Long> names = cpg.calls().stream().collect(Collectors.groupingBy(Call::name, Collectors.counting()));
        ExpectedAnswers.pairs("top_call_names").forEach((name, count) -> assertEquals(count, names.get(name), name));
        assertEquals(15, ExpectedAnswers.pairs("top_call_names").size());
    }

    @Test
    void cardinalitiesAreTypes() {
        Method method = cpg.methods().stream().filter(m -> m.name().equals("inflate")).findFirst().orElseThrow();
        OptionalInt line = method.lineNumber();
        assertEquals(474, line.orElseThrow());
        assertEquals(474, method.lineNumber(-1));
        assertFalse(method.isExternal());
        assertEquals("inflate.c", method.filename());
        assertEquals(cpg.columns().name().texts().find("inflate"), method.nameCode());
        assertTrue(cpg.metaData().first().orElseThrow().overlays().contains("base"));
        int without = 0;
        while (cpg.columns().order().isPresent(without)) {
            without++;
        }
        assertEquals(-1, cpg.columns().order(without), "the default");
    }

    @Test
    void whatLabelsShareIsSwitchedOver() {
        long strange = 0;
        for (Method method : cpg.methods()) {
            for (HasAstIn child : method.astOut()) {
                strange += switch (child) {
                    case Call ignored -> 1;
                    case AnyNode ignored -> 1;
                    default -> 0;
                };
            }
        }
        assertEquals(0, strange, "no call is right below a method");
        HasOrder order = new AnyNode(cpg).at(cpg.calls().next(0));
        assertEquals(cpg.calls().first().orElseThrow().order(), order.order());
    }

    @Test
    void handlesAreEqualByNode() {
        int id = cpg.methods().next(0);
        assertEquals(cpg.method(id), cpg.node(id));
        assertEquals(cpg.method(id), new AnyNode(cpg).at(id));
        assertEquals(cpg.method(id).hashCode(), cpg.node(id).hashCode());
        assertNotEquals(cpg.method(id), cpg.node(id + 1));
        assertEquals("Method[" + id + "]", cpg.node(id).toString());
        assertInstanceOf(Method.class, cpg.node(id));
    }

    @Test
    void wrongNodesAreRefusedByName() {
        int call = cpg.calls().next(0);
        String message = assertThrows(IllegalArgumentException.class, () -> cpg.method(call)).getMessage();
        assertEquals("node " + call + " is no METHOD but CALL", message);
        int beyond = cpg.graph().nodeCount();
        assertThrows(NoSuchNodeException.class, () -> cpg.node(beyond));
        assertThrows(NoSuchNodeException.class, () -> cpg.columns().order(beyond));
        assertThrows(NoSuchNodeException.class, () -> new Call(cpg).order());
    }

    @Test
    void aGraphWithLessReadsAsAbsent() throws IOException {
        try (Cpg other = Cpg.open(Graphs.CONTENT)) {
            TypeDecl decl = other.typeDecls().first().orElseThrow();
            assertTrue(decl.aliasOfOut().isEmpty() && decl.aliasOfOut().first().isEmpty());
            assertEquals(0, decl.aliasOfOut().size());
            assertEquals(0, decl.aliasOfOut().stream().count());
            assertFalse(decl.aliasOfOut().iterator().hasNext());
            assertEquals("<empty>", other.columns().canonicalName(decl.id()));
            assertEquals(-1, other.columns().canonicalNameCode(decl.id()));
            UnknownNameException edges =
                    assertThrows(UnknownNameException.class, () -> other.columns().aliasOfOut());
            assertEquals("ALIAS_OF", edges.name());
            UnknownNameException values =
                    assertThrows(UnknownNameException.class, () -> other.columns().canonicalName());
            assertEquals("CANONICAL_NAME", values.name());
            assertEquals(0, other.fieldIdentifiers().size());
            Method method = other.methods().first().orElseThrow();
            assertFalse(method.name().isEmpty());
        }
    }

    @Test
    void aGraphOfAnotherKindIsRefused() {
        String message = assertThrows(WrongTypeException.class, () -> Cpg.open(Graphs.AWKWARD)).getMessage();
        assertTrue(message.contains("generate again"), message);
    }

    @Test
    void afterCloseEveryReadIsAnException() throws IOException {
        Cpg closed = Cpg.openChecked(Graphs.ZLIB);
        Call call = closed.calls().first().orElseThrow();
        assertEquals(call.order(), closed.columns().order(call.id()));
        closed.close();
        assertThrows(GraphClosedException.class, call::order);
        assertThrows(GraphClosedException.class, call::name);
        assertThrows(GraphClosedException.class, call::lineNumber);
        assertThrows(GraphClosedException.class, () -> call.callOut().first());
        assertThrows(GraphClosedException.class, () -> closed.node(0));
        assertThrows(GraphClosedException.class, () -> closed.calls().first());
    }
}

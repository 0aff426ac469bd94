package varvite.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.BytesProperty;
import varvite.DoubleProperty;
import varvite.IntProperty;
import varvite.LongProperty;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.RefProperty;
import varvite.TextProperty;
import varvite.ValueType;
import varvite.generated.awkward.AnyNode;
import varvite.generated.awkward.Columns;
import varvite.generated.awkward.Cpg;
import varvite.generated.awkward.HasOrder;
import varvite.generated.awkward.Node;
import varvite.typed.Neighbors;

/**
 * Reads properties of every type and cardinality by generated accessors, and compares the values with those
 * that the columns return.
 */
class EveryTypeTest {
    private static Cpg cpg;

    @BeforeAll
    static void open() throws IOException {
        cpg = Cpg.open(Graphs.AWKWARD);
    }

    @AfterAll
    static void close() {
        cpg.close();
    }

    @TestFactory
    Stream<DynamicTest> accessorsReadWhatColumnsHold() {
        Stream<PropertyInfo> ofNodes = cpg.graph().properties().stream().filter(info -> info.edgeLabel().isEmpty());
        return ofNodes.map(info -> dynamicTest(info.name() + " " + info.type() + " " + info.cardinality(), () -> {
            Method accessor = Columns.class.getMethod(camel(info.name()), int.class);
            Property column = cpg.graph().property(info.name());
            for (int node = 0; node < cpg.graph().nodeCount(); node++) {
                List<Object> stored = stored(column, node);
                assertEquals(typed(info, stored), plain(accessor.invoke(cpg.columns(), node)), "node " + node);
            }
        }));
    }

    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.toLowerCase(java.util.Locale.ROOT).split("_")) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return camel.toString();
    }

    /** The expected result of a typed accessor for the stored values. A null is a value only in a list. */
    private static Object typed(PropertyInfo info, List<Object> stored) {
        return switch (info.cardinality()) {
            case LIST -> stored;
            case OPTIONAL -> stored.isEmpty() ? Optional.empty() : Optional.ofNullable(stored.getFirst());
            case ONE -> stored.isEmpty() || stored.getFirst() == null ? defaultOf(info) : stored.getFirst();
        };
    }

    private static Object defaultOf(PropertyInfo info) {
        String text = info.defaultValue().orElseThrow();
        return switch (info.type()) {
            case BOOL -> Boolean.valueOf(text);
            case STRING -> text;
            default -> Integer.valueOf(text);
        };
    }

    private static List<Object> stored(Property column, int node) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < column.count(node); i++) {
            values.add(stored(column, node, i));
        }
        return values;
    }

    private static Object stored(Property column, int node, int index) {
        return switch (column) {
            case IntProperty ints when column.info().type() == ValueType.BOOL -> ints.at(node, index) != 0;
            case IntProperty ints -> ints.at(node, index);
            case LongProperty longs -> longs.at(node, index);
            case DoubleProperty doubles -> doubles.at(node, index);
            case TextProperty texts -> texts.at(node, index);
            case BytesProperty bytes -> bytes(bytes.at(node, index));
            case RefProperty refs -> refs.at(node, index) < 0 ? null : refs.at(node, index);
        };
    }

    private static Object bytes(byte[] bytes) {
        return bytes == null ? null : Arrays.toString(bytes);
    }

    /**
     * The result of a typed accessor in a form that can be compared: handles as ids, bytes as text, arrays as
     * lists, and all optionals as {@link Optional}.
     */
    private static Object plain(Object value) {
        return switch (value) {
            case byte[] bytes -> bytes(bytes);
            case Node node -> node.id();
            case OptionalInt i -> i.isPresent() ? Optional.of(i.getAsInt()) : Optional.empty();
            case OptionalLong l -> l.isPresent() ? Optional.of(l.getAsLong()) : Optional.empty();
            case OptionalDouble d -> d.isPresent() ? Optional.of(d.getAsDouble()) : Optional.empty();
            case Optional<?> optional -> optional.map(EveryTypeTest::plain);
            case List<?> list -> plainList(list);
            case null -> null;
            default -> value.getClass().isArray() ? plainArray(value) : value;
        };
    }

    private static List<Object> plainList(List<?> list) {
        List<Object> values = new ArrayList<>();
        list.forEach(value -> values.add(plain(value)));
        return values;
    }

    private static List<Object> plainArray(Object array) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            values.add(Array.get(array, i));
        }
        return values;
    }

    /**
     * The class for a label has the members for the label's nodes, and gives the same answers as
     * {@link AnyNode}.
     */
    @Test
    void handlesSayWhatTheirColumnsSay() throws ReflectiveOperationException {
        Set<String> called = new HashSet<>();
        AnyNode any = new AnyNode(cpg);
        for (int id = 0; id < cpg.graph().nodeCount(); id++) {
            Node node = cpg.node(id);
            for (Method method : node.getClass().getMethods()) {
                boolean isAccessor = method.getParameterCount() == 0
                        && !method.isBridge()
                        && method.getDeclaringClass() == node.getClass();
                if (isAccessor) {
                    Object other = AnyNode.class.getMethod(method.getName()).invoke(any.at(id));
                    assertEquals(said(other), said(method.invoke(node)), method + " of " + id);
                    called.add(method.getName());
                }
            }
        }
        assertTrue(called.size() > 40, called.toString());
    }

    private static final Map<Class<?>, Object> ABSENT = Map.of(int.class, -7, long.class, -7L, double.class, -7.0, boolean.class, true);

    /** The static methods of interfaces give the same answers as handles. */
    @Test
    void staticMethodsSayWhatHandlesSay() throws ReflectiveOperationException {
        Set<String> called = new HashSet<>();
        for (int id = 0; id < cpg.graph().nodeCount(); id++) {
            Node node = cpg.node(id);
            for (Class<?> type : interfaces(node.getClass())) {
                for (Method method : type.getDeclaredMethods()) {
                    if (Modifier.isStatic(method.getModifiers())) {
                        Class<?>[] more = Arrays.copyOfRange(method.getParameterTypes(), 1, method.getParameterCount());
                        Object[] absent = Arrays.stream(more).map(ABSENT::get).toArray();
                        Object expected = type.getMethod(method.getName(), more).invoke(node, absent);
                        Object[] handleFirst = Stream.concat(Stream.of(node), Arrays.stream(absent)).toArray();
                        assertEquals(expected, method.invoke(null, handleFirst), method + " of " + id);
                        called.add(method.getName());
                    }
                }
            }
        }
        assertTrue(called.size() > 10, called.toString());
        assertEquals(new AnyNode(cpg).at(1).order(), HasOrder.order(new AnyNode(cpg).at(1)));
    }

    private static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> all = new HashSet<>();
        for (Class<?> one : type.getInterfaces()) {
            all.add(one);
            all.addAll(interfaces(one));
        }
        return all;
    }

    private static Object said(Object value) {
        return value instanceof Neighbors<?> neighbors ? neighbors.ids().boxed().toList() : plain(value);
    }

    @Test
    void aNodeWithSeveralLabelsIsOfTheClassOfItsFirst() {
        int node = 0;
        while (cpg.node(node).labels().size() < 2) {
            node++;
        }
        List<String> labels = cpg.node(node).labels().stream().map(varvite.Label::name).toList();
        assertEquals(labels.getFirst().replace("_", ""), cpg.node(node).getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT));
    }
}

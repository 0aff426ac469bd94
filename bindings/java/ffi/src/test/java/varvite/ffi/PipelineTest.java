package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static varvite.pipeline.Pipeline.edges;
import static varvite.pipeline.Pipeline.ids;
import static varvite.pipeline.Pipeline.it;
import static varvite.pipeline.Pipeline.nodes;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import varvite.Profile;
import varvite.error.EngineException;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;
import varvite.pipeline.Predicate;
import varvite.pipeline.Repeat;
import varvite.pipeline.Summary;

/**
 * Compares pipelines that are built in Java with every example in the document that describes steps, and runs
 * them.
 */
class PipelineTest {
    private static final Key NAME = Key.property("NAME");

    /** The examples of steps in docs/plan.md, as Java code. */
    private static Map<String, Pipeline> examples() {
        Map<String, Pipeline> examples = new TreeMap<>();
        examples.put("nodes", nodes("METHOD", "TYPE"));
        examples.put("ids", ids(7, 3, 7));
        examples.put("edges", edges("REACHING_DEF"));
        keeping(examples);
        moving(examples);
        branching(examples);
        ending(examples);
        return examples;
    }

    private static void keeping(Map<String, Pipeline> examples) {
        examples.put("has", nodes("CALL").has("NAME", Predicate.regex("mem(cpy|set)")));
        examples.put("has_not", nodes().hasNot("NAME", Predicate.eq("main")));
        examples.put("has_label", nodes().hasLabel("CALL"));
        examples.put("has_id", nodes().hasId(1, 2, 3));
        examples.put("is", nodes().values("ORDER").is(Predicate.gt(2)));
        examples.put("where", nodes("METHOD").where(it().out("AST").count().is(Predicate.gt(2))));
        examples.put("where_not", nodes("METHOD").whereNot(it().in("CALL")));
        examples.put("and", nodes().and(it().out(), it().in()));
        examples.put("or", nodes().or(it().hasLabel("CALL"), it().in("CALL")));
        Key rest = Key.subtract(Key.length(Key.property("FULL_NAME")), Key.length(NAME));
        examples.put("filter", nodes("METHOD").filter(Key.greater(rest, Key.constant(20))));
        Key nameOfCall = Key.first(it().select("call").values("NAME"));
        Pipeline sameName = it().as("call").out("ARGUMENT").filter(Key.equal(NAME, nameOfCall));
        examples.put("as", nodes("CALL").where(sameName));
        examples.put("simple_path", nodes("METHOD").both("CALL").both("CALL").simplePath());
    }

    private static void moving(Map<String, Pipeline> examples) {
        examples.put("out", nodes("CALL").out("CALL"));
        examples.put("in", nodes("METHOD").in("CALL"));
        examples.put("both", ids(1).both());
        examples.put("out_edges", nodes().outEdges("REACHING_DEF").has("VARIABLE"));
        examples.put("in_edges", nodes().inEdges("REACHING_DEF").source());
        examples.put("both_edges", ids(1).bothEdges().label());
        examples.put("source", edges("CALL").source());
        examples.put("target", edges("CALL").target());
        examples.put("select", nodes("METHOD").union(it().as("method").in("CALL").select("method")));
        examples.put("descendants", nodes("METHOD").subtree().groupCount(Key.LABEL));
        examples.put("ancestors", nodes("IDENTIFIER").ancestors());
        examples.put("nearest_ancestor", nodes("IDENTIFIER").nearestAncestor("METHOD"));
    }

    private static void branching(Map<String, Pipeline> examples) {
        examples.put("union", nodes("CALL").union(it().out("CALL"), it().in("AST")));
        examples.put("coalesce", nodes().coalesce(it().out("CALL"), it()));
        Map<Predicate, Pipeline> cases = Map.of(Predicate.eq("CALL"), it().out("CALL"));
        examples.put("choose", nodes().choose(it().label(), cases, it()));
        Repeat callers = Repeat.of(it().in("CALL").nearestAncestor("METHOD")).emitAllButFirst().dedup().breadthFirst();
        examples.put("repeat", nodes("METHOD").limit(1).repeat(callers).columns(Key.ITSELF, Key.DEPTH, NAME));
    }

    private static void ending(Map<String, Pipeline> examples) {
        Pipeline callees = nodes("CALL").out("CALL");
        examples.put("dedup", callees.dedup());
        Pipeline counts = callees.groupCount(Key.property("FULL_NAME"));
        examples.put("order", counts.orderDescending(Key.column("count")).limit(20));
        examples.put("limit", nodes().limit(10));
        examples.put("skip", nodes().skip(10));
        examples.put("sample", nodes().sample(5, 1));
        examples.put("values", callees.values("FULL_NAME"));
        Key place = Key.concat(NAME, Key.constant(":"), Key.property("ORDER"));
        examples.put("map", nodes("CALL").map(place));
        examples.put("label", nodes().label().dedup());
        examples.put("depth", nodes("METHOD").repeat(Repeat.of(it().out("AST")).emit().dedup()).depth());
        examples.put("path", callees.path());
        examples.put("side", nodes("METHOD").side("methods").in("CALL").count());
        Key calls = Key.first(it().in("CALL").count()).named("calls");
        examples.put("columns", nodes("METHOD").columns(Key.ITSELF, Key.LABEL, NAME, calls));
        examples.put("group_count", nodes().groupCount(NAME));
        Summary[] columns = {Summary.COUNT, Summary.min("ORDER"), Summary.mean("ORDER")};
        examples.put("summarize", nodes("CALL").summarize(NAME, columns));
        examples.put("group", nodes("METHOD").group(NAME));
        examples.put("count", nodes().count());
        examples.put("sum", nodes().values("ORDER").sum());
        examples.put("min", nodes().values("ORDER").min());
        examples.put("max", nodes().values("ORDER").max());
        examples.put("mean", nodes().values("ORDER").mean());
    }

    private static String document() throws IOException {
        return Files.readString(Path.of(System.getProperty("varvite.root")).resolve("docs/plan.md"));
    }

    private static String withoutSpaces(String json) {
        return json.replaceAll("\\s", "");
    }

    @Test
    void everyExampleOfTheDocumentCanBeBuilt() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        Matcher sections = Pattern.compile("### `(\\w+)`\\n.*?```json\\n(.*?)```", Pattern.DOTALL).matcher(document());
        while (sections.find()) {
            expected.put(sections.group(1), withoutSpaces(sections.group(2)));
        }
        examples().forEach((step, pipeline) -> assertEquals(expected.get(step), withoutSpaces(pipeline.toJson()), step));
        assertEquals(expected.keySet(), stepsOfMethods());
    }

    /**
     * The names of the steps that methods add. Calls each method with some arguments, and lets the engine
     * parse the resulting step.
     */
    private static Set<String> stepsOfMethods() {
        Set<String> steps = new TreeSet<>();
        Pattern first = Pattern.compile("\\{\"version\":1,\"steps\":\\[\\{\"step\":\"(\\w+)\".*");
        for (Method method : Pipeline.class.getMethods()) {
            if (method.getReturnType() != Pipeline.class || method.getName().equals("it")) {
                continue;
            }
            String json = called(method).toJson();
            NativeGraph.bind(json, new Parameters());
            Matcher step = first.matcher(json);
            assertTrue(step.matches(), json);
            steps.add(step.group(1));
        }
        return steps;
    }

    private static Pipeline called(Method method) {
        Object[] arguments = Stream.of(method.getParameterTypes()).map(PipelineTest::argument).toArray();
        try {
            return (Pipeline) method.invoke(it(), arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(method.toString(), e);
        }
    }

    private static Object argument(Class<?> type) {
        Map<Class<?>, Object> arguments = Map.of(
                String.class, "NAME", String[].class, new String[] {"CALL"}, int[].class, new int[] {7}, long.class, 3L,
                Predicate.class, Predicate.eq(1), Pipeline.class, it().out(), Key.class, NAME, Map.class, Map.of());
        Map<Class<?>, Object> more = Map.of(
                Pipeline[].class, new Pipeline[] {it()}, Key[].class, new Key[] {NAME}, Summary[].class,
                new Summary[] {Summary.COUNT}, Repeat.class, Repeat.of(it().out()));
        Object argument = arguments.getOrDefault(type, more.get(type));
        return Objects.requireNonNull(argument, () -> "an argument for " + type);
    }

    @Test
    void everyPredicateOfTheDocumentCanBeBuilt() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        String predicates = document().split("## Predicates")[1];
        Matcher rows = Pattern.compile("\\| `\\{\"(\\w+)\": .*?}` \\|").matcher(predicates);
        while (rows.find()) {
            expected.add(rows.group(1));
        }
        Predicate[] all = {
            Predicate.eq("a"), Predicate.ne(1), Predicate.oneOf("a", "b"), Predicate.noneOf(1, 2), Predicate.lt(0.5), Predicate.lte(2),
            Predicate.gt(3), Predicate.gte(4), Predicate.between(1, 2), Predicate.inside(1, 9), Predicate.outside(1.5, 2.5),
            Predicate.prefix("a"), Predicate.suffix("b"), Predicate.contains("c"), Predicate.regex("d.*")
        };
        TreeSet<String> built = new TreeSet<>();
        for (Predicate predicate : all) {
            String json = predicate.toString();
            built.add(json.substring(2, json.indexOf('"', 2)));
        }
        assertEquals(expected, built);
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            for (Predicate predicate : all) {
                String json = predicate.toString();
                boolean isText = json.matches(".*[:\\[]\".*");
                Pipeline asked = nodes().has(isText ? "NAME" : "ORDER", predicate).count();
                try (NativeRun run = graph.run(asked)) {
                    assertTrue(run.next(), json);
                }
            }
        }
    }

    @Test
    void everyExampleRuns() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            examples().forEach((step, pipeline) -> {
                try (NativeRun run = graph.run(pipeline)) {
                    // No METHOD calls the first METHOD, and no CALL edge leads from one METHOD to another.
                    assertTrue(run.next() || Set.of("repeat", "simple_path").contains(step), step);
                }
            });
        }
    }

    @Test
    void textsArriveAsTheyAre() {
        for (String text : new String[] {"\"", "\\", "\n\t\u0001", "\u00e9\u2028\ud83d\ude00", "</script>"}) {
            Pipeline pipeline = nodes().limit(1).choose(it().label(), Map.of(Predicate.ne(text), it()));
            try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                    NativeRun run = graph.run(pipeline)) {
                assertTrue(run.next());
            }
            String unknown = assertThrows(EngineException.class, () -> count(nodes(text))).getMessage();
            assertTrue(unknown.contains("no node label") || unknown.contains("label"), unknown);
        }
        assertThrows(EngineException.class, () -> count(nodes().has("NAME", Predicate.eq("\ud83d"))));
    }

    private static void count(Pipeline pipeline) {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeRun run = graph.run(pipeline.count())) {
            run.next();
        }
    }

    @Test
    void parametersGetTheirValues() {
        String plan = """
                {"version":1,"parameters":{"names":"texts","least":"number","most":"integer","flag":"boolean"},"steps":[{"step":"nodes"},\
                {"step":"has","property":"NAME","is":{"one_of":{"param":"names"}}},\
                {"step":"has","property":"X","is":{"one_of":[{"param":"least"},{"param":"flag"}]}},{"step":"limit","count":{"param":"most"}}]}""";
        Parameters values = new Parameters().withList("names", List.of("\"}", "\0ü")).with("least", 0.5).with("most", 3).with("flag", true);
        String expected = nodes().has("NAME", Predicate.oneOf("\"}", "\0ü")).toJson();
        String bound = NativeGraph.bind(plan, values);
        assertTrue(bound.startsWith(expected.substring(0, expected.length() - "]}".length())), bound);
        assertTrue(bound.endsWith("{\"one_of\":[0.5,true]}},{\"step\":\"limit\",\"count\":3}]}"), bound);
        EngineException missing = assertThrows(EngineException.class, () -> NativeGraph.bind(plan, new Parameters()));
        assertTrue(missing.getMessage().contains("has no value"), missing.getMessage());
        EngineException unknown = assertThrows(EngineException.class, () -> NativeGraph.bind(plan, values.with("lost", 1)));
        assertTrue(unknown.getMessage().contains("no parameter \"lost\"; the nearest is \"most\""), unknown.getMessage());
    }

    @Test
    void stepsLeaveWhatWasThere() {
        Pipeline calls = nodes("CALL");
        String before = calls.toJson();
        assertNotEquals(calls, calls.out("CALL"));
        assertEquals(before, calls.toJson());
        assertEquals(nodes("CALL"), calls);
        assertEquals(nodes("CALL").hashCode(), calls.hashCode());
        Map<Predicate, Pipeline> ordered = new LinkedHashMap<>();
        ordered.put(Predicate.eq("b"), it());
        ordered.put(Predicate.eq("a"), it());
        String choice = nodes().choose(it().label(), ordered).toJson();
        assertTrue(choice.indexOf("\"b\"") < choice.indexOf("\"a\""));
    }

    @Test
    void wordsOfRepeatAreAllWritten() {
        Repeat repeat = Repeat.of(it().out("AST"))
                .times(3)
                .until(it().hasLabel("CALL"))
                .whilst(it().has("ORDER"))
                .emitWhere(it().hasLabel("BLOCK"));
        String json = nodes("METHOD").repeat(repeat).toJson();
        for (String word : new String[] {"\"times\":3", "\"until\":[", "\"whilst\":[", "\"emit\":{\"where\":["}) {
            assertTrue(json.contains(word), json);
        }
        assertFalse(json.contains("dedup"), json);
        count(nodes("METHOD").repeat(repeat));
    }

    @Test
    void numbersThatMeanNothingAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> ids(1, -1));
        assertThrows(IllegalArgumentException.class, () -> nodes().limit(-1));
        assertThrows(IllegalArgumentException.class, () -> nodes().skip(-1));
        assertThrows(IllegalArgumentException.class, () -> nodes().sample(1, -1));
        assertThrows(IllegalArgumentException.class, () -> Repeat.of(it().out()).times(-1));
        assertThrows(IllegalArgumentException.class, () -> Predicate.lt(Double.NaN));
    }
}

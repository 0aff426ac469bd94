package varvite.bench.flatgraph;

import flatgraph.Accessors;
import flatgraph.Edge;
import flatgraph.GNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import varvite.bench.protocol.Workload;
import varvite.bench.protocol.Workload.Answer;

/**
 * Ten questions of Joern's own scanners, as plain loops over flatgraph's accessors. README.md names the files
 * that define the questions. The loops do the work of flatgraph's traversal steps, without the steps: texts
 * are compared as strings, sets of texts are hash sets, and patterns are compiled once.
 */
final class Queries {
    private static final Set<String> ASSIGNMENTS = Set.of(
            "<operator>.assignment", "<operator>.assignmentDivision", "<operator>.assignmentMinus",
            "<operator>.assignmentMultiplication", "<operator>.assignmentPlus", "<operators>.assignmentAnd",
            "<operators>.assignmentArithmeticShiftRight", "<operators>.assignmentExponentiation",
            "<operators>.assignmentLogicalShiftRight", "<operators>.assignmentModulo", "<operators>.assignmentOr",
            "<operators>.assignmentShiftLeft", "<operators>.assignmentXor", "<operator>.postDecrement",
            "<operator>.postIncrement", "<operator>.preDecrement", "<operator>.preIncrement");
    private static final Set<String> ARRAY_ACCESSES = Set.of(
            "<operator>.computedMemberAccess", "<operator>.indexAccess", "<operator>.indirectComputedMemberAccess",
            "<operator>.indirectIndexAccess");
    private static final Set<String> FIELD_ACCESSES = Set.of("<operator>.fieldAccess", "<operator>.indirectFieldAccess");

    private static final Pattern DANGEROUS =
            Pattern.compile("(?i)(gets|getwd|scanf|strcat|strcpy|strncat|strncpy|strtok|v?s?n?printf)");
    private static final List<Row> FORMATS = List.of(
            new Row(1, "printf", "printk", "sqlite3_mprintf", "vprintf"),
            new Row(2, "dev_err", "dev_info", "dev_warn", "fprintf", "gzprintf", "sprintf", "sqlite3MPrintf", "vsprintf"),
            new Row(3, "scnprintf", "snprintf", "sqlite3_snprintf", "vsnprintf"));
    private static final int PARAMETERS_MAX = 4;
    private static final int CONTROL_STRUCTURES_MAX = 4;
    private static final int RETURNS_MAX = 1;
    private static final Pattern LENGTHS = Pattern.compile("(?i)(strlen|sqlite3Strlen30)");
    private static final Pattern NARROW_TYPES = Pattern.compile("(g?)int|unsigned|unsigned int|u?int32_t|u32");
    private static final List<Pattern[]> GUARDS = List.of(
            new Pattern[] {Pattern.compile("(?i)set(res|re|e|)uid"), Pattern.compile("set(res|re|e)?gid")},
            new Pattern[] {
                Pattern.compile("sqlite3_mutex_leave|mutex_unlock|spin_unlock.*"),
                Pattern.compile("sqlite3_mutex_enter|mutex_lock.*|spin_lock.*")
            },
            new Pattern[] {Pattern.compile("close"), Pattern.compile("open")});
    private static final Map<String, int[]> OPERATIONS = operations();
    private static final Pattern FALLIBLE = Pattern.compile(
            "(?i)(read|recv|(sqlite3_?|sqlite3Db)?malloc(64|Raw|Zero)?|k[mvz]*alloc|zalloc|vmalloc|alloc_skb|"
                    + "netdev_alloc_skb|dev_alloc_skb)");
    private static final List<Row> FREEING = List.of(
            new Row(1, "free", "kfree", "kvfree", "sqlite3_free", "vfree"),
            new Row(2, "TRY_FREE", "ZFREE", "sqlite3DbFree"));
    private static final Pattern CLEARING = Pattern.compile(".*free|memset|bzero");
    private static final List<Row> SINKS = List.of(
            new Row(1, "kmalloc", "kzalloc", "malloc", "sqlite3_malloc", "sqlite3_malloc64", "vmalloc"),
            new Row(3, "copy_from_user", "copy_to_user", "memcpy", "memmove", "memset", "zmemcpy"));
    private static final Set<String> SOURCES = Set.of(
            "be16_to_cpu", "be32_to_cpu", "get_unaligned_le16", "le16_to_cpu", "le32_to_cpu", "ntohl", "ntohs", "read",
            "readl", "recv", "sqlite3Strlen30", "strlen");

    /**
     * The index of an argument, and the names of the functions in which a question looks at this argument.
     */
    private record Row(int index, Set<String> names) {
        Row(int index, String... names) {
            this(index, Set.of(names));
        }
    }

    private static Map<String, int[]> operations() {
        var operations = new HashMap<String, int[]>();
        for (String name : List.of("access", "chdir", "chmod", "chown", "creat", "fopen", "lchown", "lstat", "mkdir", "mkfifo",
                "mknod", "open", "readlink", "rmdir", "stat", "unlink", "free", "kfree", "kvfree", "sqlite3_free", "vfree")) {
            operations.put(name, new int[] {1});
        }
        for (String name : List.of("faccessat", "fchmodat", "fstatat", "mkdirat", "mkfifoat", "mknodat", "openat", "readlinkat",
                "unlinkat", "sqlite3DbFree", "TRY_FREE", "ZFREE")) {
            operations.put(name, new int[] {2});
        }
        operations.put("link", new int[] {1, 2});
        operations.put("rename", new int[] {1, 2});
        operations.put("linkat", new int[] {2, 4});
        operations.put("renameat", new int[] {2, 4});
        return operations;
    }

    private final CodeGraph graph;
    private final int call;
    private final int method;
    private final int literal;
    private final int identifier;
    private final int controlStructure;
    private final int block;
    private final int returnKind;
    private final int parameter;
    private final int methodReturn;
    private final int ast;
    private final int callEdge;
    private final int argumentEdge;
    private final int contains;
    private final int evalType;
    private final int dominate;
    private final int condition;
    private final int reachingDef;
    private final int name;
    private final int code;
    private final int methodFullName;
    private final int argumentIndex;
    private final int isExternal;
    private final int lineNumber;
    private final int columnNumber;

    private Queries(CodeGraph graph) {
        this.graph = graph;
        call = graph.nodeKind("CALL");
        method = graph.nodeKind("METHOD");
        literal = graph.nodeKind("LITERAL");
        identifier = graph.nodeKind("IDENTIFIER");
        controlStructure = graph.nodeKind("CONTROL_STRUCTURE");
        block = graph.nodeKind("BLOCK");
        returnKind = graph.nodeKind("RETURN");
        parameter = graph.nodeKind("METHOD_PARAMETER_IN");
        methodReturn = graph.nodeKind("METHOD_RETURN");
        ast = graph.edgeKind("AST");
        callEdge = graph.edgeKind("CALL");
        argumentEdge = graph.edgeKind("ARGUMENT");
        contains = graph.edgeKind("CONTAINS");
        evalType = graph.edgeKind("EVAL_TYPE");
        dominate = graph.edgeKind("DOMINATE");
        condition = graph.edgeKind("CONDITION");
        reachingDef = graph.edgeKind("REACHING_DEF");
        name = graph.propertyKind("NAME");
        code = graph.propertyKind("CODE");
        methodFullName = graph.propertyKind("METHOD_FULL_NAME");
        argumentIndex = graph.propertyKind("ARGUMENT_INDEX");
        isExternal = graph.propertyKind("IS_EXTERNAL");
        lineNumber = graph.propertyKind("LINE_NUMBER");
        columnNumber = graph.propertyKind("COLUMN_NUMBER");
    }

    static void addTo(Map<String, Workload<CodeGraph>> workloads) {
        add(workloads, "query_dangerous_calls", queries -> queries.callsMatching(DANGEROUS));
        add(workloads, "query_format_strings", Queries::formatStrings);
        add(workloads, "query_complex_methods", Queries::complexMethods);
        add(workloads, "query_truncated_lengths", Queries::truncatedLengths);
        add(workloads, "query_copy_loops", Queries::copyLoops);
        add(workloads, "query_calls_without_guard", Queries::callsWithoutGuard);
        add(workloads, "query_shared_arguments", Queries::sharedArguments);
        add(workloads, "query_unchecked_results", Queries::uncheckedResults);
        add(workloads, "query_freed_fields", Queries::freedFields);
        add(workloads, "query_tainted_arguments", Queries::taintedArguments);
    }

    private static void add(Map<String, Workload<CodeGraph>> workloads, String name, Function<Queries, List<GNode>> query) {
        workloads.put(name, graph -> {
            var queries = new Queries(graph);
            return () -> queries.answer(query.apply(queries));
        });
    }

    /**
     * The answer for the found nodes: their number, and the sums of their line and column numbers, because
     * node ids differ between peers.
     */
    private Answer answer(List<GNode> found) {
        long lines = 0;
        long columns = 0;
        for (GNode node : found) {
            lines += graph.number(node, lineNumber, 0);
            columns += graph.number(node, columnNumber, 0);
        }
        return new Answer(1, found.size(), lines, columns);
    }

    // The questions

    private List<GNode> callsMatching(Pattern pattern) {
        var found = new ArrayList<GNode>();
        for (GNode node : graph.nodes(method)) {
            if (pattern.matcher(name(node)).matches()) {
                addAll(found, graph.in(node, callEdge));
            }
        }
        return found;
    }

    private List<GNode> callsOf(Set<String> names) {
        var found = new ArrayList<GNode>();
        for (GNode node : graph.nodes(method)) {
            if (names.contains(name(node))) {
                addAll(found, graph.in(node, callEdge));
            }
        }
        return found;
    }

    private List<GNode> formatStrings() {
        var found = new ArrayList<GNode>();
        for (Row row : FORMATS) {
            for (GNode caller : callsOf(row.names)) {
                GNode format = argument(caller, row.index);
                if (format == null || format.nodeKind != literal) {
                    found.add(caller);
                }
            }
        }
        return found;
    }

    private List<GNode> complexMethods() {
        var found = new ArrayList<GNode>();
        var stack = new NodeStack();
        for (GNode node : graph.nodes(method)) {
            if (!graph.flag(node, isExternal) && isComplex(node, stack)) {
                found.add(node);
            }
        }
        return found;
    }

    private boolean isComplex(GNode node, NodeStack stack) {
        int parameters = 0;
        for (Iterator<GNode> children = graph.out(node, ast); children.hasNext(); ) {
            if (children.next().nodeKind == parameter) {
                parameters++;
            }
        }
        if (parameters > PARAMETERS_MAX) {
            return true;
        }
        int controlStructures = 0;
        int returns = 0;
        stack.clear();
        stack.push(node);
        while (!stack.isEmpty()) {
            GNode below = stack.pop();
            if (below.nodeKind == controlStructure && ++controlStructures > CONTROL_STRUCTURES_MAX) {
                return true;
            }
            if (below.nodeKind == returnKind && ++returns > RETURNS_MAX) {
                return true;
            }
            stack.pushAll(graph.out(below, ast));
        }
        return false;
    }

    private List<GNode> truncatedLengths() {
        var found = new ArrayList<GNode>();
        for (GNode length : callsMatching(LENGTHS)) {
            GNode above = graph.firstIn(length, ast);
            while (above != null && !isAssignment(above)) {
                above = graph.firstIn(above, ast);
            }
            GNode target = above == null ? null : argument(above, 1);
            if (target != null && isNarrow(target)) {
                found.add(target);
            }
        }
        return found;
    }

    private boolean isNarrow(GNode node) {
        for (Iterator<GNode> types = graph.out(node, evalType); types.hasNext(); ) {
            if (NARROW_TYPES.matcher(name(types.next())).matches()) {
                return true;
            }
        }
        return false;
    }

    private List<GNode> copyLoops() {
        var found = new ArrayList<GNode>();
        var stack = new NodeStack();
        for (GNode node : graph.nodes(call)) {
            if (!isAssignment(node)) {
                continue;
            }
            GNode access = argument(node, 1);
            if (access == null || access.nodeKind != call || !ARRAY_ACCESSES.contains(name(access))) {
                continue;
            }
            GNode array = argument(access, 1);
            GNode subscript = argument(access, 2);
            if (array != null && subscript != null && isInLoopOver(access, subscripts(subscript, stack), stack)) {
                found.add(array);
            }
        }
        return found;
    }

    private Set<String> subscripts(GNode subscript, NodeStack stack) {
        var subscripts = new HashSet<String>();
        stack.clear();
        stack.push(subscript);
        while (!stack.isEmpty()) {
            GNode below = stack.pop();
            if (below.nodeKind == identifier) {
                subscripts.add(code(below));
            }
            stack.pushAll(graph.out(below, ast));
        }
        return subscripts;
    }

    private boolean isInLoopOver(GNode access, Set<String> subscripts, NodeStack stack) {
        if (subscripts.isEmpty()) {
            return false;
        }
        for (GNode above = graph.firstIn(access, ast); above != null; above = graph.firstIn(above, ast)) {
            if (above.nodeKind != controlStructure) {
                continue;
            }
            for (Iterator<GNode> children = graph.out(above, ast); children.hasNext(); ) {
                GNode head = children.next();
                if (head.nodeKind != block && assignsAny(head, subscripts, stack)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean assignsAny(GNode head, Set<String> subscripts, NodeStack stack) {
        stack.clear();
        stack.push(head);
        while (!stack.isEmpty()) {
            GNode below = stack.pop();
            if (isAssignment(below)) {
                GNode target = argument(below, 1);
                if (target != null && subscripts.contains(code(target))) {
                    return true;
                }
            }
            stack.pushAll(graph.out(below, ast));
        }
        return false;
    }

    private List<GNode> callsWithoutGuard() {
        var found = new ArrayList<GNode>();
        for (Pattern[] row : GUARDS) {
            for (GNode called : callsMatching(row[0])) {
                if (!isDominatedBy(called, row[1])) {
                    found.add(called);
                }
            }
        }
        return found;
    }

    private boolean isDominatedBy(GNode called, Pattern guard) {
        var visited = new HashSet<GNode>();
        var pending = new ArrayDeque<GNode>();
        visited.add(called);
        pending.push(called);
        while (!pending.isEmpty()) {
            for (Iterator<GNode> above = graph.in(pending.pop(), dominate); above.hasNext(); ) {
                GNode node = above.next();
                if (visited.add(node)) {
                    if (node.nodeKind == call && guard.matcher(name(node)).matches()) {
                        return true;
                    }
                    pending.push(node);
                }
            }
        }
        return false;
    }

    private record Thing(GNode method, String code) {}

    private List<GNode> sharedArguments() {
        var things = new HashMap<Thing, Set<GNode>>();
        for (GNode node : graph.nodes(call)) {
            int[] indexes = OPERATIONS.get(name(node));
            GNode in = indexes == null ? null : container(node);
            if (in == null) {
                continue;
            }
            for (Iterator<GNode> arguments = graph.out(node, argumentEdge); arguments.hasNext(); ) {
                GNode argument = arguments.next();
                int index = graph.number(argument, argumentIndex, -1);
                if (argument.nodeKind != literal && Arrays.stream(indexes).anyMatch(wanted -> wanted == index)) {
                    things.computeIfAbsent(new Thing(in, code(argument)), key -> new HashSet<>()).add(node);
                }
            }
        }
        var found = new HashSet<GNode>();
        things.values().stream().filter(calls -> calls.size() > 1).forEach(found::addAll);
        return new ArrayList<>(found);
    }

    private List<GNode> uncheckedResults() {
        var found = new ArrayList<GNode>();
        var checked = new HashMap<GNode, Set<String>>();
        for (GNode fallible : callsMatching(FALLIBLE)) {
            if (!isAskedOrReturned(fallible) && !isCheckedLater(fallible, checked)) {
                found.add(fallible);
            }
        }
        return found;
    }

    private boolean isAskedOrReturned(GNode fallible) {
        for (GNode above = fallible; above != null; above = graph.firstIn(above, ast)) {
            if (graph.in(above, condition).hasNext() || (above != fallible && above.nodeKind == returnKind)) {
                return true;
            }
        }
        return false;
    }

    private boolean isCheckedLater(GNode fallible, Map<GNode, Set<String>> checked) {
        GNode in = container(fallible);
        if (in == null) {
            return false;
        }
        Set<String> codes = checked.computeIfAbsent(in, this::checkedIn);
        for (GNode above = graph.firstIn(fallible, ast); above != null; above = graph.firstIn(above, ast)) {
            GNode target = isAssignment(above) ? argument(above, 1) : null;
            if (target != null && codes.contains(code(target))) {
                return true;
            }
        }
        return false;
    }

    private Set<String> checkedIn(GNode in) {
        var stack = new NodeStack();
        var conditions = new NodeStack();
        stack.push(in);
        while (!stack.isEmpty()) {
            GNode below = stack.pop();
            if (below.nodeKind == controlStructure) {
                conditions.pushAll(graph.out(below, condition));
            }
            stack.pushAll(graph.out(below, ast));
        }
        var codes = new HashSet<String>();
        while (!conditions.isEmpty()) {
            GNode below = conditions.pop();
            if (below.nodeKind == identifier || below.nodeKind == call) {
                codes.add(code(below));
            }
            conditions.pushAll(graph.out(below, ast));
        }
        return codes;
    }

    private List<GNode> freedFields() {
        var found = new ArrayList<GNode>();
        for (Row row : FREEING) {
            for (GNode freeing : callsOf(row.names)) {
                GNode field = argument(freeing, row.index);
                if (field != null && field.nodeKind == call && FIELD_ACCESSES.contains(name(field)) && isLeftDangling(field)) {
                    found.add(field);
                }
            }
        }
        return found;
    }

    private boolean isLeftDangling(GNode field) {
        GNode structure = argument(field, 1);
        GNode in = container(field);
        if (structure == null || in == null) {
            return false;
        }
        String structureCode = code(structure);
        return hasParameter(in, structureCode) && !clears(in, structureCode) && reachesReturn(field);
    }

    private boolean hasParameter(GNode in, String sought) {
        for (Iterator<GNode> children = graph.out(in, ast); children.hasNext(); ) {
            GNode child = children.next();
            if (child.nodeKind == parameter && name(child).equals(sought)) {
                return true;
            }
        }
        return false;
    }

    private boolean clears(GNode in, String structure) {
        var stack = new NodeStack();
        stack.push(in);
        while (!stack.isEmpty()) {
            GNode below = stack.pop();
            if (below.nodeKind == call && CLEARING.matcher(name(below)).matches()) {
                GNode cleared = argument(below, 1);
                if (cleared != null && code(cleared).equals(structure)) {
                    return true;
                }
            }
            stack.pushAll(graph.out(below, ast));
        }
        return false;
    }

    private boolean reachesReturn(GNode field) {
        String variable = code(field);
        var visited = new HashSet<GNode>();
        var pending = new ArrayDeque<GNode>();
        visited.add(field);
        pending.push(field);
        while (!pending.isEmpty()) {
            IndexedSeq<Edge> edges = Accessors.getEdgesOut(pending.pop(), reachingDef);
            for (int i = 0; i < edges.length(); i++) {
                Edge edge = edges.apply(i);
                if (!variable.equals(edge.property())) {
                    continue;
                }
                if (edge.dst().nodeKind == methodReturn) {
                    return true;
                }
                if (visited.add(edge.dst())) {
                    pending.push(edge.dst());
                }
            }
        }
        return false;
    }

    private List<GNode> taintedArguments() {
        var found = new ArrayList<GNode>();
        for (Row row : SINKS) {
            for (GNode node : graph.nodes(call)) {
                if (row.names.contains(graph.string(node, methodFullName))) {
                    GNode sink = argument(node, row.index);
                    if (sink != null) {
                        addSources(sink, found);
                    }
                }
            }
        }
        return found;
    }

    private void addSources(GNode sink, List<GNode> found) {
        var visited = new HashSet<GNode>();
        var pending = new ArrayDeque<GNode>();
        visited.add(sink);
        pending.push(sink);
        while (!pending.isEmpty()) {
            for (Iterator<GNode> before = graph.in(pending.pop(), reachingDef); before.hasNext(); ) {
                GNode node = before.next();
                if (!visited.add(node)) {
                    continue;
                }
                if (SOURCES.contains(graph.string(node, methodFullName))) {
                    found.add(sink);
                    found.add(node);
                } else {
                    pending.push(node);
                }
            }
        }
    }

    // Steps

    private String name(GNode node) {
        return graph.string(node, name);
    }

    private String code(GNode node) {
        return graph.string(node, code);
    }

    private boolean isAssignment(GNode node) {
        return node.nodeKind == call && ASSIGNMENTS.contains(name(node));
    }

    private GNode argument(GNode node, int index) {
        for (Iterator<GNode> arguments = graph.out(node, argumentEdge); arguments.hasNext(); ) {
            GNode argument = arguments.next();
            if (graph.number(argument, argumentIndex, -1) == index) {
                return argument;
            }
        }
        return null;
    }

    /** The METHOD that contains an expression, or null. */
    private GNode container(GNode node) {
        GNode above = graph.firstIn(node, contains);
        return above != null && above.nodeKind == method ? above : null;
    }

    private static void addAll(List<GNode> found, Iterator<GNode> added) {
        while (added.hasNext()) {
            found.add(added.next());
        }
    }
}

package varvite.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import varvite.Adjacency;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.IntList;
import varvite.Label;
import varvite.Labels;
import varvite.Property;
import varvite.Ranks;
import varvite.error.NoSuchNodeException;
import varvite.error.UnknownNameException;
import varvite.error.WalkException;

/**
 * Compiles a {@link Walk} to a {@link Plan}: names become numbers, and conditions on labels become tables.
 */
final class Compiler {
    private static final Direction[] BOTH = {Direction.OUT, Direction.IN};

    /** The value of {@link Way#metOut} that stands for all label sets. */
    static final boolean[] ALL = {};

    /**
     * The edges of one label in one direction, to nodes with certain label sets; {@code targets} is null for
     * all nodes. If the walk follows the same edges in the out direction too, it visits an edge from a node
     * to itself only in that direction. {@code metOut} of the way in the in direction then has the label sets
     * to which the walk follows these edges in the out direction; else it is null.
     */
    record Way(
            EdgeLabel label,
            Direction direction,
            boolean[] targets,
            boolean[] metOut,
            Adjacency adjacency,
            Ranks ranks,
            PairedLists paired) {}

    /** An edge label with a direction. */
    private record Along(EdgeLabel label, Direction direction) {}

    /**
     * A hop with names resolved. {@code from} says for each label set whether the hop follows edges from
     * nodes with this label set, and {@code to} whether it follows edges to them; null stands for all nodes.
     */
    private record ResolvedHop(List<Along> along, boolean[] from, boolean[] to) {}

    private final Walk walk;
    final Graph graph;
    final Labels labels;

    final List<Way> ways = new ArrayList<>();
    int[][] hops;
    final IntList wayNumbers = new IntList();
    final IntList wayStarts = new IntList();
    final IntList wayEnds = new IntList();

    final byte[] ofCode;
    int depthLeast;
    int depthMost = Evaluator.DEPTH_MAX;
    int continuesBelow = Evaluator.DEPTH_MAX;
    final List<BranchTest> tests = new ArrayList<>();

    Property[] costs;

    Compiler(Walk walk, Graph graph) {
        this.walk = walk;
        this.graph = graph;
        labels = graph.labelSets();
        ofCode = new byte[labels.codeCount()];
        Arrays.fill(ofCode, (byte) Evaluation.BOTH);
    }

    Plan compile() {
        List<ResolvedHop> resolved = walk.hops.stream().map(this::resolve).toList();
        hops = resolved.stream().map(this::waysOf).toArray(int[][]::new);
        addRules(resolved, null);
        if (walk.keepsDirection) {
            addRules(resolved, Direction.OUT);
            addRules(resolved, Direction.IN);
        }
        walk.evaluators.forEach(evaluator -> add(evaluator.test));
        if (depthLeast > Math.min(depthMost, continuesBelow)) {
            throw WalkException.contradiction(depthLeast, Math.min(depthMost, continuesBelow));
        }
        if (walk.costProperty != null) {
            costs = costs();
        }
        return new Plan(walk, this);
    }

    // Ways

    private ResolvedHop resolve(Hop hop) {
        List<EdgeLabel> named = hop.edgeLabels.isEmpty()
                ? graph.edgeLabels()
                : hop.edgeLabels.stream().map(graph::edgeLabel).toList();
        Direction[] directions = hop.direction == null ? BOTH : new Direction[] {hop.direction};
        List<Along> along = named.stream()
                .flatMap(label -> Arrays.stream(directions).map(direction -> new Along(label, direction)))
                .toList();
        return new ResolvedHop(along, setsWithAny(hop.from), setsWithAny(hop.to));
    }

    /** For each label set, whether it contains one of the labels; null if {@code names} is empty. */
    private boolean[] setsWithAny(List<String> names) {
        return names.isEmpty() ? null : setsWith(names);
    }

    private boolean[] setsWith(List<String> names) {
        List<Label> wanted = names.stream().map(graph::label).toList();
        boolean[] sets = new boolean[labels.codeCount()];
        for (int code = 0; code < sets.length; code++) {
            int each = code;
            sets[code] = wanted.stream().anyMatch(label -> labels.codeHas(each, label));
        }
        return sets;
    }

    private int[] waysOf(ResolvedHop hop) {
        return hop.along().stream().mapToInt(along -> number(along, hop.to(), metOut(along, List.of(hop)))).toArray();
    }

    /**
     * The {@link Way#metOut} of a way: if its direction is in, the label sets to which hops follow the same
     * edges in the out direction. Null if its direction is out, or if no hop follows the edges out.
     */
    private static boolean[] metOut(Along along, List<ResolvedHop> hops) {
        Along out = new Along(along.label(), Direction.OUT);
        if (along.direction() == Direction.OUT || hops.stream().noneMatch(hop -> hop.along().contains(out))) {
            return null;
        }
        boolean[] targets = targetsAlong(out, hops);
        return targets == null ? ALL : targets;
    }

    /** The label sets that any of the hops leads to along this label and direction; null for all. */
    private static boolean[] targetsAlong(Along along, List<ResolvedHop> hops) {
        List<boolean[]> targets = new ArrayList<>();
        hops.stream().filter(hop -> hop.along().contains(along)).forEach(hop -> targets.add(hop.to()));
        return targets.contains(null) ? null : either(targets);
    }

    /** The number of the way with these parts. If it is new, it is added with the next number. */
    private int number(Along along, boolean[] targets, boolean[] metOut) {
        for (int number = 0; number < ways.size(); number++) {
            Way way = ways.get(number);
            boolean isSame = way.label().equals(along.label()) && way.direction() == along.direction();
            if (isSame && Arrays.equals(way.targets(), targets) && Arrays.equals(way.metOut(), metOut)) {
                return number;
            }
        }
        if (ways.size() == Branches.NO_WAY) {
            throw WalkException.tooManyWays(Branches.NO_WAY);
        }
        Adjacency adjacency = graph.adjacency(along.label(), along.direction());
        Ranks ranks = walk.tellsEdges() ? graph.ranks(along.label(), along.direction()).orElse(null) : null;
        PairedLists paired = walk.tellsEdges() && ranks == null ? paired(along.label(), adjacency) : null;
        ways.add(new Way(along.label(), along.direction(), targets, metOut, adjacency, ranks, paired));
        return ways.size() - 1;
    }

    private PairedLists paired(EdgeLabel label, Adjacency in) {
        return new PairedLists(in, graph.ranks(label, Direction.OUT).orElseThrow(), graph.path(), label.name());
    }

    /**
     * Adds, for each label set, the ways that the walk follows from nodes with this label set: only those in
     * direction {@code kept}, or those in both directions if {@code kept} is null.
     */
    private void addRules(List<ResolvedHop> resolved, Direction kept) {
        Map<List<Integer>, Integer> known = new HashMap<>();
        for (int code = 0; code < labels.codeCount(); code++) {
            List<Integer> leading = new ArrayList<>();
            for (int place = 0; place < resolved.size(); place++) {
                boolean[] from = resolved.get(place).from();
                if (from == null || from[code]) {
                    leading.add(place);
                }
            }
            Integer same = known.get(leading);
            if (same != null) {
                wayStarts.add(wayStarts.get(same));
                wayEnds.add(wayEnds.get(same));
                continue;
            }
            known.put(leading, wayStarts.size());
            wayStarts.add(wayNumbers.size());
            addWays(leading.stream().map(resolved::get).toList(), kept);
            wayEnds.add(wayNumbers.size());
        }
    }

    /**
     * Adds the ways of some hops: one way for each edge label and direction, to all label sets that any of
     * the hops leads to along it.
     */
    private void addWays(List<ResolvedHop> leading, Direction kept) {
        List<Along> added = new ArrayList<>();
        for (Along along : leading.stream().flatMap(hop -> hop.along().stream()).toList()) {
            if (kept != null && kept != along.direction() || added.contains(along)) {
                continue;
            }
            added.add(along);
            wayNumbers.add(number(along, targetsAlong(along, leading), kept == null ? metOut(along, leading) : null));
        }
    }

    /** The union of several tables by label set. */
    private static boolean[] either(List<boolean[]> sets) {
        boolean[] any = sets.get(0).clone();
        for (boolean[] set : sets) {
            for (int code = 0; code < any.length; code++) {
                any[code] |= set[code];
            }
        }
        return any;
    }

    // Evaluators

    private void add(Evaluator.Test test) {
        switch (resolve(test)) {
            case BranchTest.Depths depths -> addDepths(depths.least(), depths.most(), depths.continuesBelow());
            case BranchTest.Labels sets -> {
                for (int code = 0; code < ofCode.length; code++) {
                    ofCode[code] &= sets.ofCode()[code];
                }
            }
            case BranchTest.EndsAtDepth ends -> {
                addDepths(ends.depth(), ends.depth(), ends.depth());
                tests.add(new BranchTest.Ends(ends.nodes(), Evaluation.BOTH, Evaluation.CONTINUES));
            }
            case BranchTest other -> tests.add(other);
        }
    }

    private void addDepths(int least, int most, int below) {
        depthLeast = Math.max(depthLeast, least);
        depthMost = Math.min(depthMost, most);
        continuesBelow = Math.min(continuesBelow, below);
    }

    private BranchTest resolve(Evaluator.Test test) {
        return switch (test) {
            case Evaluator.Depths depths -> {
                if (depths.least() > depths.most()) {
                    throw WalkException.contradiction(depths.least(), depths.most());
                }
                yield new BranchTest.Depths(depths.least(), depths.most(), depths.continuesBelow());
            }
            case Evaluator.Labels of -> new BranchTest.Labels(outcomes(setsWith(of.labels()), of.outcomes()));
            case Evaluator.LastEdge of -> lastEdge(of);
            case Evaluator.Ends of ->
                new BranchTest.Ends(rising(of.nodes()), of.outcomes().matched().bits, of.outcomes().other().bits);
            case Evaluator.EndsAtDepth of -> new BranchTest.EndsAtDepth(rising(of.nodes()), of.depth());
            case Evaluator.ContainsAll of -> new BranchTest.ContainsAll(rising(of.nodes()));
            case Evaluator.Number of ->
                new BranchTest.Number(
                        graph.property(of.property()),
                        of.least(),
                        of.greatest(),
                        of.outcomes().matched().bits,
                        of.outcomes().other().bits);
            case Evaluator.AnyOf of ->
                new BranchTest.AnyOf(of.evaluators().stream()
                        .map(evaluator -> resolve(evaluator.test))
                        .toArray(BranchTest[]::new));
        };
    }

    private BranchTest lastEdge(Evaluator.LastEdge of) {
        List<EdgeLabel> wanted = of.edgeLabels().stream().map(graph::edgeLabel).toList();
        boolean[] are = new boolean[ways.size()];
        for (int way = 0; way < are.length; way++) {
            are[way] = wanted.contains(ways.get(way).label());
        }
        return new BranchTest.LastEdge(outcomes(are, of.outcomes()), of.outcomes().other().bits);
    }

    private static byte[] outcomes(boolean[] are, Evaluator.Outcomes outcomes) {
        byte[] bits = new byte[are.length];
        for (int i = 0; i < are.length; i++) {
            bits[i] = (byte) outcomes.of(are[i]);
        }
        return bits;
    }

    /** The nodes in rising order, without duplicates. Throws if the graph lacks one of them. */
    private int[] rising(List<Integer> nodes) {
        for (int node : nodes) {
            if (node >= graph.nodeCount()) {
                throw new NoSuchNodeException("node", node, graph.nodeCount());
            }
        }
        return nodes.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    }

    // Costs

    private Property[] costs() {
        Property[] properties = new Property[ways.size()];
        UnknownNameException unknown = null;
        for (int way = properties.length - 1; way >= 0; way--) {
            try {
                properties[way] = graph.edgeProperty(ways.get(way).label().name(), walk.costProperty);
            } catch (UnknownNameException e) {
                unknown = e;
            }
        }
        if (unknown != null && Arrays.stream(properties).allMatch(java.util.Objects::isNull)) {
            throw unknown;
        }
        return properties;
    }
}

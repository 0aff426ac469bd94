package varvite;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import varvite.format.Changes;
import varvite.format.Changes.EdgeChangeRow;
import varvite.format.Changes.PropertyChangeRow;
import varvite.format.Column;
import varvite.format.Directory;
import varvite.format.GraphFile;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.Sieve;
import varvite.format.SmallInts;

/**
 * Combines the columns of the base with the changes to the graph since they were written: changes to nodes,
 * label sets, edges and values. This class checks that the lengths of columns agree; entries are checked
 * where they are used.
 *
 * <p>The lists that this class makes in memory are proportional in size to the file. The class is not used
 * for a graph without changes.
 */
final class ChangedColumns {
    private static final int NONE = -1;
    /** The maximum number of values in the lists of all labels, per byte of the file. */
    private static final long VALUES_OF_BYTE = 1024;

    private final GraphFile file;
    private final Changes changes;
    private final int nodes;
    private final Map<Integer, NodeSet> byLabel = new ConcurrentHashMap<>();
    private Appended appended;

    /**
     * The appended nodes, grouped by their label sets.
     *
     * @param counts the number of nodes with each code
     * @param starts the nodes with code {@code c} are at indexes from {@code starts[c]} to below {@code
     * starts[c + 1]}
     * @param nodes all appended nodes; null if there are more of them than bytes in the file, because a file
     * may claim any number of nodes
     */
    private record Appended(int[] counts, int[] starts, int[] nodes) {}

    ChangedColumns(GraphFile file, Changes changes) {
        this.file = file;
        this.changes = changes;
        nodes = file.directory().nodes();
    }

    /** The set of removed nodes; null if there are none. */
    IdSet removed() {
        return changes.removed() == NONE ? null : set(changes.removed(), "removed nodes", nodes);
    }

    /** The masks of all label sets, with an empty one for removed nodes if there are any. */
    private long[] masks() {
        Directory directory = file.directory();
        boolean hasOne = changes.removed() == NONE || withoutLabels() < codes();
        return hasOne
                ? directory.labelSets()
                : Arrays.copyOf(directory.labelSets(), directory.labelSets().length + directory.maskWords());
    }

    private int codes() {
        return file.directory().labelSets().length / file.directory().maskWords();
    }

    /** The code of the first label set without labels; the number of codes if there is none. */
    private int withoutLabels() {
        long[] masks = file.directory().labelSets();
        int words = file.directory().maskWords();
        for (int code = 0; code < codes(); code++) {
            if (Arrays.stream(masks, code * words, (code + 1) * words).allMatch(word -> word == 0)) {
                return code;
            }
        }
        return codes();
    }

    /** The label sets of all nodes: of the base, of appended nodes and of removed nodes. */
    Labels labels(SmallInts base, List<Label> labels) {
        IdSet removed = removed();
        SmallInts ofAppended = codesOfAppended();
        boolean isSame = ofAppended == null && removed == null;
        SmallInts codes = isSame ? base : base.patched(ofAppended, removed, withoutLabels());
        return new Labels(codes, nodes, labels, masks(), file.directory().maskWords());
    }

    /**
     * The label codes of the appended nodes, in which removed nodes keep their codes; null if no node was
     * appended.
     */
    private SmallInts codesOfAppended() {
        int later = nodes - changes.baseNodes();
        if (later == 0) {
            return null;
        }
        if (changes.codes() == NONE) {
            throw file.faults().damaged("labels of appended nodes", "a column", "none");
        }
        return new SmallInts(Ints.open(column(changes.codes(), "labels of appended nodes"), later));
    }

    /** The appended nodes that had the label and were removed again, in rising order. */
    int[] removedOfAppended(Label label) {
        IdSet removed = removed();
        SmallInts codes = removed == null ? null : codesOfAppended();
        IntList found = new IntList();
        for (int node = next(removed, changes.baseNodes()); codes != null && node >= 0; node = removed.next(node + 1)) {
            if (maskHas(codes.get(node - changes.baseNodes()), label)) {
                found.add(node);
            }
        }
        return found.toArray();
    }

    private boolean maskHas(int code, Label label) {
        long[] masks = file.directory().labelSets();
        int words = file.directory().maskWords();
        return code < codes() && (masks[code * words + (label.id() >> 6)] >>> label.id() & 1) != 0;
    }

    /**
     * Calls {@code visit} with the label code of each appended node, in the order of ids; a removed node has
     * the code that it had.
     */
    void eachCodeOfAppended(IntConsumer visit) {
        SmallInts codes = codesOfAppended();
        for (int node = changes.baseNodes(); node < nodes; node++) {
            visit.accept(codes.get(node - changes.baseNodes()));
        }
    }

    /** The nodes of a label. */
    NodeSet nodes(Label label, IdSet base, Supplier<Labels> labels) {
        return byLabel.computeIfAbsent(label.id(), id -> {
            IdSet.Some added =
                    nodes == changes.baseNodes() ? IdSet.Some.of() : appendedWith(label, base, labels.get());
            return new NodeSet(base.changed(common(base, removed(), null), added, nodes));
        });
    }

    /** The members of {@code base} that are also in {@code first} or {@code second}, which may be null. */
    private static IdSet.Some common(IdSet base, IdSet first, IdSet second) {
        long others = (first == null ? 0 : first.count()) + (long) (second == null ? 0 : second.count());
        if (base.count() < others) {
            return base.some(base.limit(), base.count(), base::next, id -> contains(first, id) || contains(second, id));
        }
        return base.some(base.limit(), others, id -> leastOf(next(first, id), next(second, id)), id -> contains(base, id));
    }

    /** Whether a set, which may be null, contains an id. */
    static boolean contains(IdSet set, int id) {
        return set != null && set.memberRank(id) >= 0;
    }

    /** The first member of a set from {@code id} up; -1 if there is none or the set is null. */
    static int next(IdSet set, int id) {
        return set == null ? -1 : set.next(id);
    }

    /** The smaller of two ids, where -1 stands for none. */
    static int leastOf(int one, int other) {
        return one < 0 || other >= 0 && other < one ? other : one;
    }

    private IdSet.Some appendedWith(Label label, IdSet base, Labels labels) {
        Appended appended = appended(labels);
        boolean[] isWanted = new boolean[labels.codeCount()];
        int count = 0;
        for (int code = 0; code < isWanted.length; code++) {
            isWanted[code] = labels.codeHas(code, label);
            count += isWanted[code] ? appended.counts[code] : 0;
        }
        if (count == 0 || appended.nodes != null) {
            return IdSet.Some.of(grouped(appended, isWanted, count));
        }
        return base.some(nodes, count, id -> Math.max(id, changes.baseNodes()), id -> isWanted[labels.code(id)]);
    }

    private static int[] grouped(Appended appended, boolean[] isWanted, int count) {
        int[] found = new int[count];
        int next = 0;
        for (int code = 0; code < isWanted.length && next < count; code++) {
            if (isWanted[code]) {
                System.arraycopy(appended.nodes, appended.starts[code], found, next, appended.counts[code]);
                next += appended.counts[code];
            }
        }
        Arrays.sort(found);
        return found;
    }

    private synchronized Appended appended(Labels labels) {
        if (appended == null) {
            int[] counts = new int[labels.codeCount()];
            for (int node = changes.baseNodes(); node < nodes; node++) {
                counts[labels.code(node)]++;
            }
            checkLists(labels, counts);
            boolean isFew = nodes - changes.baseNodes() <= file.map().byteSize();
            appended = isFew ? group(labels, counts) : new Appended(counts, null, null);
        }
        return appended;
    }

    private Appended group(Labels labels, int[] counts) {
        int[] starts = new int[counts.length + 1];
        for (int code = 0; code < counts.length; code++) {
            starts[code + 1] = starts[code] + counts[code];
        }
        int[] next = starts.clone();
        int[] grouped = new int[nodes - changes.baseNodes()];
        for (int node = changes.baseNodes(); node < nodes; node++) {
            int code = labels.code(node);
            // A mapped file may change between two reads.
            if (next[code] >= starts[code + 1]) {
                throw file.faults().damaged("labels of appended nodes", "the same when read again", "others");
            }
            grouped[next[code]++] = node;
        }
        return new Appended(counts, starts, grouped);
    }

    /** Throws if the lists of all labels together are too long for a file of this length. */
    private void checkLists(Labels labels, int[] counts) {
        long found = 0;
        for (int code = 0; code < counts.length; code++) {
            found += counts[code] == 0 ? 0 : counts[code] * (long) labels.countOf(code);
        }
        long most = file.map().byteSize() * VALUES_OF_BYTE;
        if (found > most) {
            throw file.faults().damaged("labels of appended nodes", "at most " + most + " labels of nodes", found);
        }
    }

    /** Combines the neighbours of the base along an edge label with the changes. */
    Adjacency adjacency(Adjacency base, EdgeLabel label, Direction direction, Adjacency parents) {
        EdgeChangeRow row = changes.ofEdges(label.id());
        boolean isForest = base.shape != Adjacency.LISTS;
        if (row == null && (!isForest || base.nodes == nodes)) {
            return base;
        }
        ChangedEdges.Columns columns =
                row == null ? ChangedEdges.Columns.NONE : columns(row, label, direction, isForest);
        boolean needsParents = base.shape == Adjacency.CHILDREN && columns.holes() != null;
        return Adjacency.ofChanged(
                new ChangedEdges(base, nodes, columns, needsParents ? parents : null), label.edges(), nodes);
    }

    /** Adds the file's changes to the edges of a label to {@code edits}. */
    void takeUp(EdgeEdits edits, EdgeLabel label, boolean isForest) {
        EdgeChangeRow row = changes.ofEdges(label.id());
        if (row == null) {
            return;
        }
        String use = "changed edges " + label.name();
        long ofBase = file.directory().edgeLabels().get(label.id()).edges();
        int limit = limit(isForest ? changes.baseNodes() : ofBase, row.appended(), use);
        edits.takeUp(
                columns(row, label, Direction.OUT, isForest),
                row.removed() == NONE ? null : set(row.removed(), "removed " + use, limit),
                row.removedIn() == NONE ? null : set(row.removedIn(), "removed " + use, limit(ofBase, 0, use)));
    }

    private ChangedEdges.Columns columns(EdgeChangeRow row, EdgeLabel label, Direction direction, boolean isForest) {
        String use = "changed edges " + label.name() + (direction == Direction.OUT ? ", out" : ", in");
        Directory.AdjacencyRow side = direction == Direction.OUT ? row.out() : row.in();
        int ranksColumn = direction == Direction.OUT ? row.outRanks() : row.inRanks();
        boolean isAny = side.nodes() != NONE;
        if (!isAny && row.appended() != 0) {
            throw file.faults().damaged(use, "lists of appended edges", "none");
        }
        long ofBase = file.directory().edgeLabels().get(label.id()).edges();
        long first = isForest ? changes.baseNodes() : ofBase;
        int limit = limit(first, row.appended(), use);
        Ints neighbors = isAny ? Ints.open(column(side.neighbors(), "neighbours of " + use), row.appended()) : null;
        Lists appended = isAny ? lists(side, neighbors, use) : null;
        Ints ranks = isAny && ranksColumn != NONE ? Ints.open(column(ranksColumn, "ranks of " + use), row.appended()) : null;
        IdSet removed = row.removed() == NONE ? null : set(row.removed(), "removed " + use, limit);
        IdSet holes = removed;
        if (!isForest && direction == Direction.IN) {
            holes = row.removedIn() == NONE ? null : set(row.removedIn(), "removed " + use, limit(ofBase, 0, use));
        }
        boolean isAppendedRemoved = removed != null && removed.count() > removed.rank((int) first);
        return new ChangedEdges.Columns(
                first, appended, neighbors, ranks, ofBase(holes, first), isAppendedRemoved ? removed : null);
    }

    /**
     * Returns {@code holes}, or null if no hole is below {@code first}: numbers from {@code first} on are not
     * entries of the base.
     */
    private static IdSet ofBase(IdSet holes, long first) {
        int hole = holes == null ? -1 : holes.next(0);
        return hole >= 0 && hole < first ? holes : null;
    }

    private Lists lists(Directory.AdjacencyRow side, Ints neighbors, String use) {
        if (side.offsets() == NONE || side.neighbors() == NONE) {
            throw file.faults().damaged(use, "three columns", "fewer");
        }
        IdSet owners = set(side.nodes(), "nodes of " + use, nodes);
        Ints offsets = Ints.open(column(side.offsets(), "offsets of " + use));
        return new Lists(owners, offsets.isIdentity() ? null : offsets, neighbors.count(), "node", nodes);
    }

    /** The limit of edge numbers, appended edges included. Throws if it does not fit in an int. */
    int limit(long first, long appended, String use) {
        long end = first + appended;
        if (first < 0 || appended < 0 || end < 0 || end > Integer.MAX_VALUE) {
            throw file.faults().tooLarge(
                    use + ": " + Long.toUnsignedString(end) + " edges, this module numbers up to 2^31 - 1");
        }
        return (int) end;
    }

    /** The limit of the owners of a property, appended ones included. Owners are nodes, or ranks of edges. */
    int ownerLimit(Directory.PropertyRow row, String use) {
        if (row.owner() == NONE) {
            return nodes;
        }
        EdgeChangeRow change = changes.ofEdges(row.owner());
        return limit(file.directory().edgeLabels().get(row.owner()).edges(), change == null ? 0 : change.appended(), use);
    }

    /** The removed owners of a property; null if there are none. */
    private IdSet removedOwners(Directory.PropertyRow row, int limit) {
        if (row.owner() == NONE) {
            return removed();
        }
        EdgeChangeRow change = changes.ofEdges(row.owner());
        // If a label's lists follow from the forest, its edges have no ranks and no properties.
        boolean hasRanks = file.directory().edgeLabels().get(row.owner()).out().nodes() != NONE;
        return change == null || change.removed() == NONE || !hasRanks
                ? null
                : set(change.removed(), "removed edges", limit);
    }

    /** The changes to a property's values; null if there are none. */
    PropertyChangeRow ofProperty(int property) {
        return changes.ofProperty(property);
    }

    /**
     * The values of a property by owner: the lists of the base combined with the changes.
     */
    ChangedLists lists(Directory.PropertyRow row, PropertyChangeRow change, Lists base, Ints values, String use) {
        int limit = ownerLimit(row, use);
        IdSet removed = removedOwners(row, limit);
        IdSet owners = change == null ? null : set(change.owners(), "changed owners of " + use, limit);
        Ints laterValues = change == null ? null : Ints.open(column(change.values(), "changed values of " + use));
        Lists later = null;
        if (change != null) {
            IdSet present = set(change.present(), "changed owners of " + use, limit);
            Ints offsets = change.offsets() == NONE ? null : Ints.open(column(change.offsets(), "changed offsets of " + use));
            later = new Lists(present, offsets, laterValues.count(), base.kind(), limit);
        }
        IdSet.Some hidden = common(base.owners(), owners, removed);
        long hiddenValues = 0;
        for (int owner = hidden.next(0); owner >= 0; owner = hidden.next(owner + 1)) {
            hiddenValues += Lists.length(base.of(owner));
        }
        IdSet members = ChangedLists.membersOf(base.owners(), later == null ? null : later.owners(), hidden, limit);
        Sieve sieve = new Sieve(limit, owners, removed);
        return new ChangedLists(base, values, later, laterValues, owners, removed, sieve, members, hiddenValues);
    }

    private IdSet set(int column, String use, int limit) {
        return IdSet.open(column(column, use), limit);
    }

    private Column column(int number, String use) {
        return new Column(file, number, use);
    }
}

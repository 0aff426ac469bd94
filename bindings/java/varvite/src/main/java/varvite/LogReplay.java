package varvite;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import varvite.error.DamagedFileException;
import varvite.format.Changes;
import varvite.format.Changes.PropertyChangeRow;
import varvite.format.Directory;
import varvite.format.GraphFile;
import varvite.format.IdSet;
import varvite.format.LogOperation;
import varvite.format.LogOperation.AddEdge;
import varvite.format.LogOperation.AddNode;
import varvite.format.LogOperation.NodeOf;
import varvite.format.LogOperation.OwnerEdge;
import varvite.format.LogOperation.OwnerNewEdge;
import varvite.format.LogOperation.OwnerNode;
import varvite.format.LogOperation.RemoveEdge;
import varvite.format.LogOperation.RemoveNode;
import varvite.format.LogOperation.Values;
import varvite.format.LogOperations;
import varvite.format.MadeColumns;

/**
 * Replays the log of a graph: makes columns in memory from its records, in the form that a full commit would
 * have written, so that readers have to support only one form of changes. A replay reads all changes, replays
 * the records and makes the columns.
 *
 * <p>All operations of a record refer to the graph before the record. Removals are done first, then new
 * nodes, new edges and values, each kind in the order of the record.
 */
final class LogReplay {
    /** The rank of a new edge that was omitted because its source or target is removed. */
    private static final int LEFT_OUT = -1;

    private static final int NONE = -1;

    private final GraphFile file;
    private final Columns columns;
    private final Schema schema;
    private final Map<String, Integer> edgeLabels = new HashMap<>();
    /** The properties, by edge label and by name. The edge label is empty for properties of nodes. */
    private final Map<Optional<String>, Map<String, PropertyInfo>> properties = new HashMap<>();
    /** The code of each label set. If several codes stand for the same set, the last of them. */
    private final Map<BitSet, Integer> labelSets = new HashMap<>();
    private final IntList codes = new IntList();
    private final BitSet removed = new BitSet();
    private final EdgeEdits[] edges;
    private final ValueEdits[] values;
    /** The name of the record that is being replayed, for errors. */
    private String part;

    /** A record of the log, with the nodes and edges that it adds and removes. */
    private static final class Record {
        final List<LogOperation> operations;
        final int firstNode;
        final BitSet removed = new BitSet();
        final IntList ranks = new IntList();
        final List<Integer> labels = new ArrayList<>();
        /** The number of nodes that the record adds. */
        final int nodes;

        Record(List<LogOperation> operations, int firstNode) {
            this.operations = operations;
            this.firstNode = firstNode;
            nodes = (int) operations.stream().filter(AddNode.class::isInstance).count();
        }
    }

    /** Thrown if an operation is invalid. The caller that catches it adds the operation's number. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String reason) {
            super(reason, null, false, false);
        }
    }

    private LogReplay(GraphFile file) {
        this.file = file;
        columns = new Columns(file);
        schema = Schema.of(file.directory());
        schema.edgeLabels().forEach(label -> edgeLabels.put(label.name(), label.id()));
        schema.properties().forEach(info -> properties
                .computeIfAbsent(info.edgeLabel(), ignored -> new HashMap<>())
                .put(info.name(), info));
        edges = new EdgeEdits[schema.edgeLabels().size()];
        values = new ValueEdits[schema.properties().size()];
    }

    /**
     * Replays the log of a file, if it has one.
     *
     * @throws DamagedFileException if a record has content that no writer writes
     */
    static void takeUp(GraphFile file) {
        if (file.log().payloads().isEmpty()) {
            return;
        }
        // The new columns will not be checked again, so check the old ones before they are read.
        file.checkChanges();
        LogReplay replay = new LogReplay(file);
        replay.takeUpChanges();
        for (int number = 1; number <= file.log().payloads().size(); number++) {
            replay.part = "log record " + number;
            replay.takeUp(file.log().payloads().get(number - 1));
        }
        replay.replaceChanges();
    }

    /**
     * Reads the changes that the file contains apart from the log. Changes to edges and values are read for
     * each label and property on first use.
     */
    private void takeUpChanges() {
        Directory directory = file.directory();
        int words = directory.maskWords();
        for (int code = 0; code * words < directory.labelSets().length; code++) {
            BitSet labels = new BitSet();
            for (int word = 0; word < words; word++) {
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    if ((directory.labelSets()[code * words + word] >>> bit & 1) != 0) {
                        labels.set(word * Long.SIZE + bit);
                    }
                }
            }
            labelSets.put(labels, code);
        }
        // A removed node keeps its label set, because the label's numbers still include the node's origin
        // number.
        columns.changes().ifPresent(changes -> changes.eachCodeOfAppended(codes::add));
        IdSet gone = columns.removed();
        for (int node = gone == null ? -1 : gone.next(0); node >= 0; node = gone.next(node + 1)) {
            removed.set(node);
        }
    }

    private int nodes() {
        return file.directory().baseNodes() + codes.size();
    }

    private EdgeEdits edges(int label) {
        if (edges[label] == null) {
            edges[label] = columns.edgeEdits(schema.edgeLabels().get(label));
        }
        return edges[label];
    }

    private ValueEdits values(int property) {
        if (values[property] == null) {
            values[property] = columns.valueEdits(schema.properties().get(property));
        }
        return values[property];
    }

    private void takeUp(byte[] payload) {
        Record record = new Record(LogOperations.read(payload, part, file.faults()), nodes());
        Map<Integer, BitSet> named = new HashMap<>();
        each(record, operation -> note(operation, record, named));
        remove(record, named);
        each(record, operation -> addNode(operation, record));
        each(record, operation -> addEdge(operation, record));
        each(record, operation -> giveValues(operation, record));
    }

    private void each(Record record, Consumer<LogOperation> visit) {
        int number = 0;
        for (LogOperation operation : record.operations) {
            try {
                visit.accept(operation);
            } catch (Refusal refusal) {
                throw file.faults().damaged(part, "operations that fit the graph", "operation " + number + ": " + refusal.getMessage());
            }
            number++;
        }
    }

    /** Notes the node or edge that an operation removes. */
    private void note(LogOperation operation, Record record, Map<Integer, BitSet> named) {
        if (operation instanceof RemoveNode remove) {
            boolean isNew = Integer.compareUnsigned(remove.node() - record.firstNode, record.nodes) < 0;
            if (!isNew) {
                checkNode(remove.node());
            }
            record.removed.set(remove.node());
        } else if (operation instanceof RemoveEdge remove) {
            int label = edgeLabel(remove.label());
            checkEdge(label, remove.rank());
            named.computeIfAbsent(label, ignored -> new BitSet()).set(remove.rank());
        }
    }

    private void checkNode(int node) {
        if (Integer.compareUnsigned(node, nodes()) >= 0) {
            throw new Refusal("there is no node " + Integer.toUnsignedString(node));
        }
        if (removed.get(node)) {
            throw new Refusal("node " + node + " was removed");
        }
    }

    private void checkEdge(int label, int rank) {
        String refusal = edges(label).refusal(rank);
        if (refusal != null) {
            throw new Refusal(refusal);
        }
    }

    private int edgeLabel(String name) {
        Integer label = edgeLabels.get(name);
        if (label == null) {
            throw new Refusal("there is no edge label " + name);
        }
        return label;
    }

    private void remove(Record record, Map<Integer, BitSet> named) {
        removed.or(record.removed);
        for (int label = 0; label < edges.length; label++) {
            BitSet ofLabel = named.getOrDefault(label, new BitSet());
            if (record.removed.isEmpty() && ofLabel.isEmpty()) {
                continue;
            }
            BitSet gone = edges(label).remove(record.removed, ofLabel);
            clear(Optional.of(schema.edgeLabels().get(label).name()), gone);
        }
        clear(Optional.empty(), record.removed);
    }

    private void clear(Optional<String> owner, BitSet gone) {
        if (!gone.isEmpty()) {
            properties.getOrDefault(owner, Map.of()).values().forEach(info -> values(info.id()).clear(gone));
        }
    }

    private void addNode(LogOperation operation, Record record) {
        if (!(operation instanceof AddNode add)) {
            return;
        }
        BitSet set = new BitSet();
        for (String name : add.labels()) {
            Label label = schema.labels().stream()
                    .filter(known -> known.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new Refusal("there is no label " + name));
            set.set(label.id());
        }
        Integer code = labelSets.get(set);
        if (code == null) {
            throw new Refusal("no node of the graph has the labels " + add.labels());
        }
        if (nodes() == Integer.MAX_VALUE) {
            throw file.faults().tooLarge("the graph has more than 2^31 - 1 nodes");
        }
        codes.add(code);
    }

    private int node(NodeOf node, Record record) {
        if (!node.isNew()) {
            if (Integer.compareUnsigned(node.number(), record.firstNode) >= 0) {
                throw new Refusal("there is no node " + Integer.toUnsignedString(node.number()));
            }
            return node.number();
        }
        if (Integer.compareUnsigned(node.number(), record.nodes) >= 0) {
            throw new Refusal("there is no new node " + Integer.toUnsignedString(node.number()));
        }
        return record.firstNode + node.number();
    }

    private void addEdge(LogOperation operation, Record record) {
        if (!(operation instanceof AddEdge add)) {
            return;
        }
        int label = edgeLabel(add.label());
        int from = node(add.from(), record);
        int to = node(add.to(), record);
        boolean isLeftOut = isRemovedHere(from, record) || isRemovedHere(to, record);
        for (int end : new int[] {from, to}) {
            if (!isRemovedHere(end, record)) {
                checkNode(end);
            }
        }
        record.labels.add(label);
        record.ranks.add(isLeftOut ? LEFT_OUT : add(label, from, to));
    }

    private int add(int label, int from, int to) {
        if (edges(label).end() == Integer.MAX_VALUE) {
            throw file.faults().tooLarge("an edge label has more than 2^31 - 1 edges");
        }
        return edges(label).add(from, to);
    }

    private static boolean isRemovedHere(int node, Record record) {
        return node >= 0 && record.removed.get(node);
    }

    private void giveValues(LogOperation operation, Record record) {
        if (!(operation instanceof Values given)) {
            return;
        }
        Optional<String> label = Optional.empty();
        int owner;
        switch (given.owner()) {
            case OwnerNode of -> {
                owner = node(of.node(), record);
                checkNode(owner);
            }
            case OwnerEdge of -> {
                checkEdge(edgeLabel(of.label()), of.rank());
                label = Optional.of(of.label());
                owner = of.rank();
            }
            case OwnerNewEdge of -> {
                if (Integer.compareUnsigned(of.number(), record.ranks.size()) >= 0) {
                    throw new Refusal("there is no new edge " + Integer.toUnsignedString(of.number()));
                }
                label = Optional.of(schema.edgeLabels().get(record.labels.get(of.number())).name());
                owner = record.ranks.get(of.number());
            }
        }
        if (label.isPresent() && edges(edgeLabel(label.get())).isForest()) {
            throw new Refusal("edges " + label.get() + " are implied by the order of nodes; without ranks they cannot have properties");
        }
        PropertyInfo info = properties.getOrDefault(label, Map.of()).get(given.property());
        if (info == null) {
            throw new Refusal("there is no property " + given.property());
        }
        give(given, info, owner, record);
    }

    private void give(Values given, PropertyInfo info, int owner, Record record) {
        if (info.cardinality() != Cardinality.LIST && (given.isAppend() || given.values().size() > 1)) {
            throw new Refusal("property " + info.name() + " is not a list and holds at most one value");
        }
        ValueEdits edits = values(info.id());
        long[] numbers = new long[given.values().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(given.values().get(i), edits, record);
        }
        if (owner == LEFT_OUT) {
            return;
        }
        if (given.isAppend()) {
            edits.append(owner, numbers);
        } else {
            edits.set(owner, numbers);
        }
    }

    private long number(Object value, ValueEdits edits, Record record) {
        ValueType type = edits.info().type();
        if (value == null && (type.isText() || type == ValueType.REF)) {
            return edits.nullNumber();
        }
        return switch (value) {
            case String text when type == ValueType.STRING -> edits.text(varvite.spi.Utf8.bytes(text));
            case byte[] bytes when type == ValueType.BYTES -> edits.text(bytes);
            case NodeOf of when type == ValueType.REF -> {
                int node = node(of, record);
                checkNode(node);
                yield node;
            }
            case null -> throw new Refusal("null does not fit " + type);
            default -> {
                if (!LogNumber.fits(value, type)) {
                    throw new Refusal(value + " does not fit property " + edits.info().name() + " of type " + type);
                }
                yield LogNumber.of(value, type);
            }
        };
    }

    /** Makes columns of all changes, which then replace the file's changes. */
    private void replaceChanges() {
        Directory directory = file.directory();
        MadeColumns made = new MadeColumns(file);
        int nodes = nodes();
        // Include labels that the log did not change, because the limit of their sets is the old number of
        // nodes.
        directory.changes().ifPresent(changes -> changes.edges().forEach(row -> edges(row.edgeLabel())));
        List<PropertyChangeRow> ofProperties = new ArrayList<>();
        for (int property = 0; property < values.length; property++) {
            PropertyChangeRow row = encode(property, made, nodes);
            if (row != null) {
                ofProperties.add(row);
            }
        }
        Changes changes = new Changes(
                directory.baseNodes(),
                codes.isEmpty() ? NONE : made.ints(codes.toArray()),
                removed.isEmpty() ? NONE : made.set(removed.stream().toArray(), nodes),
                EdgeEdits.encode(edges, made, nodes),
                ofProperties);
        file.replaceChanges(nodes, changes, made);
    }

    private PropertyChangeRow encode(int property, MadeColumns made, int nodes) {
        PropertyInfo info = schema.properties().get(property);
        boolean isChanged = values[property] != null || file.directory().changes().map(it -> it.ofProperty(property)).isPresent();
        if (!isChanged) {
            return null;
        }
        int limit = info.edgeLabel().map(label -> edges(edgeLabels.get(label)).end()).orElse(nodes);
        BitSet gone = info.edgeLabel().isEmpty() ? removed : new BitSet();
        return values(property).encode(made, limit, gone, columns.baseTextIndex(info));
    }
}

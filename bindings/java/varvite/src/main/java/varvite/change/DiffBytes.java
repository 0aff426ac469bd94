package varvite.change;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import varvite.spi.Utf8;

/**
 * The operations of a diff as bytes: a magic number, names, and operations that refer to names by their
 * numbers. {@code docs/format.md} defines the bytes.
 */
final class DiffBytes {
    static final int ADD_NODE = 0;
    static final int ADD_EDGE = 1;
    static final int REMOVE_NODE = 2;
    static final int REMOVE_EDGE = 3;
    static final int SET = 4;
    static final int APPEND = 5;
    static final int DECLARE_LABEL = 6;
    static final int DECLARE_EDGE_LABEL = 7;
    static final int DECLARE_PROPERTY = 8;

    static final int NULL = 0;
    static final int BOOL = 1;
    static final int SIGNED = 2;
    static final int UNSIGNED = 3;
    static final int DOUBLE = 5;
    static final int TEXT = 6;
    static final int BYTES = 7;
    static final int NODE = 8;

    static final int OLD_NODE = 0;
    static final int NEW_NODE = 1;
    static final int OWNER_EDGE = 2;
    static final int OWNER_NEW_EDGE = 3;

    private static final byte[] MAGIC = {'V', 'V', 'D', 'I', 'F', 'F', '0', '1'};
    private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final DiffBuffer names = new DiffBuffer();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final DiffBuffer operations = new DiffBuffer();
    private long count;
    /**
     * Whether an operation was begun but not ended. This stays true if memory runs out within the operation.
     */
    private boolean isCutOff;

    /** The number of operations. */
    long count() {
        return count;
    }

    /** The number of bytes that are sent to the engine. */
    long size() {
        return MAGIC.length + 2 * COUNT.byteSize() + names.size() + operations.size();
    }

    /** Copies the bytes that are sent to the engine to {@code target}. */
    void copyTo(MemorySegment target) {
        checkWhole();
        MemorySegment.copy(MAGIC, 0, target, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        target.set(COUNT, MAGIC.length, numbers.size());
        long end = names.copyTo(target, MAGIC.length + COUNT.byteSize());
        target.set(COUNT, end, (int) count);
        operations.copyTo(target, end + COUNT.byteSize());
    }

    /**
     * The number of a name; a new name gets the next number. Must be called before {@link #begin}.
     *
     * @throws IllegalArgumentException if the name has an unpaired surrogate
     */
    int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        byte[] bytes = utf8(name);
        checkWhole();
        isCutOff = true;
        names.bytes(bytes);
        int number = numbers.size();
        numbers.put(name, number);
        isCutOff = false;
        return number;
    }

    /** The UTF-8 bytes of a text. */
    static byte[] utf8(String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            throw new IllegalArgumentException("the text has half of a surrogate pair: " + text);
        }
        return bytes;
    }

    /** Begins an operation. Nothing may throw before {@link #end}. */
    void begin(int kind) {
        checkWhole();
        isCutOff = true;
        operations.u8(kind);
    }

    /** Ends an operation. */
    void end() {
        count++;
        isCutOff = false;
    }

    void u8(int number) {
        operations.u8(number);
    }

    void u32(int number) {
        operations.u32(number);
    }

    void u64(long number) {
        operations.u64(number);
    }

    void bytes(byte[] bytes) {
        operations.bytes(bytes);
    }

    /** Writes a node of the graph. */
    void node(int id) {
        operations.u8(OLD_NODE);
        operations.u32(id);
    }

    /** Writes a node of the graph or one that the diff adds. */
    void node(NodeRef node) {
        switch (node) {
            case NodeRef.Known(int id) -> node(id);
            case NewNode(int index) -> {
                operations.u8(NEW_NODE);
                operations.u32(index);
            }
        }
    }

    /** Begins an operation that sets or appends values; {@code values} is their number. */
    void beginValues(int kind, ElementRef owner, String property, int values) {
        Objects.requireNonNull(owner, "owner");
        int sent = number(property);
        int label = owner instanceof EdgeRef edge ? number(edge.label()) : 0;
        begin(kind);
        switch (owner) {
            case NodeRef node -> node(node);
            case EdgeRef edge -> {
                operations.u8(OWNER_EDGE);
                operations.u32(label);
                operations.u32(edge.rank());
            }
            case NewEdge(int index) -> {
                operations.u8(OWNER_NEW_EDGE);
                operations.u32(index);
            }
        }
        operations.u32(sent);
        operations.u32(values);
    }

    /**
     * Appends the operations of another diff.
     *
     * @param nodes the number of nodes that this diff adds, which the first new node of the other diff gets
     * as its number
     * @param edges the number of edges that this diff adds, which the first new edge of the other diff gets
     * as its number
     */
    void absorb(DiffBytes other, int nodes, int edges) {
        other.checkWhole();
        // Read the count and look up the names before the loop, because a diff may absorb itself.
        long operations = other.count;
        int[] names = new int[other.numbers.size()];
        Map.copyOf(other.numbers).entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(name -> names[name.getValue()] = number(name.getKey()));
        DiffAbsorption absorption = new DiffAbsorption(other.operations.reader(), this, names, nodes, edges);
        for (long done = 0; done < operations; done++) {
            absorption.next();
        }
    }

    private void checkWhole() {
        if (isCutOff) {
            throw new IllegalStateException("memory ran out within an operation of this diff: build a new diff");
        }
    }
}

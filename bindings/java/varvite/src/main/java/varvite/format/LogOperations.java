package varvite.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import varvite.format.LogOperation.NodeOf;

/**
 * Decodes the payload of a record, which has the operations of a diff: first each name once, then operations
 * that refer to names by number. Checks that texts are UTF-8 and that the numbers of names exist; other
 * numbers can be checked only against the graph.
 */
public final class LogOperations {
    private static final int SET = 4;
    private static final int APPEND = 5;

    private final ByteBuffer bytes;
    private final String part;
    private final Faults faults;
    private final String[] names;

    private LogOperations(byte[] payload, String part, Faults faults) {
        bytes = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        this.part = part;
        this.faults = faults;
        names = new String[count(4, "names")];
        for (int i = 0; i < names.length; i++) {
            names[i] = text();
        }
    }

    /**
     * Decodes the operations of a payload.
     *
     * @param part the name of the record in error messages
     * @throws varvite.error.DamagedFileException if the payload is invalid
     */
    public static List<LogOperation> read(byte[] payload, String part, Faults faults) {
        LogOperations reader = new LogOperations(payload, part, faults);
        int count = reader.count(1, "operations");
        List<LogOperation> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(reader.operation());
        }
        if (reader.bytes.hasRemaining()) {
            throw reader.damaged("the end of the operations", reader.bytes.remaining() + " bytes more");
        }
        return operations;
    }

    private RuntimeException damaged(String expected, Object found) {
        return faults.damaged(part, expected, found);
    }

    private LogOperation operation() {
        int kind = u8();
        return switch (kind) {
            case 0 -> new LogOperation.AddNode(labels());
            case 1 -> new LogOperation.AddEdge(name(), node(), node());
            case 2 -> new LogOperation.RemoveNode(u32());
            case 3 -> new LogOperation.RemoveEdge(name(), u32());
            case SET, APPEND -> new LogOperation.Values(owner(), name(), kind == APPEND, values());
            default -> throw damaged("a known operation", kind);
        };
    }

    private List<String> labels() {
        int count = count(4, "labels");
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            labels.add(name());
        }
        return labels;
    }

    private LogOperation.Owner owner() {
        int kind = u8();
        return switch (kind) {
            case 0, 1 -> new LogOperation.OwnerNode(new NodeOf(u32(), kind == 1));
            case 2 -> new LogOperation.OwnerEdge(name(), u32());
            case 3 -> new LogOperation.OwnerNewEdge(u32());
            default -> throw damaged("a known owner", kind);
        };
    }

    private NodeOf node() {
        boolean isNew = truth();
        return new NodeOf(u32(), isNew);
    }

    private List<Object> values() {
        int count = count(1, "values");
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value());
        }
        return values;
    }

    private Object value() {
        int kind = u8();
        return switch (kind) {
            case 0 -> null;
            case 1 -> truth();
            case 2 -> i64();
            case 3 -> new LogOperation.Unsigned(i64());
            case 4 -> Float.intBitsToFloat(u32());
            case 5 -> Double.longBitsToDouble(i64());
            case 6 -> text();
            case 7 -> piece();
            case 8 -> node();
            default -> throw damaged("a known value", kind);
        };
    }

    private boolean truth() {
        int truth = u8();
        if (truth > 1) {
            throw damaged("a truth value", truth);
        }
        return truth == 1;
    }

    private String name() {
        int number = u32();
        if (Integer.compareUnsigned(number, names.length) >= 0) {
            throw damaged("one of " + names.length + " names", Integer.toUnsignedString(number));
        }
        return names[number];
    }

    private String text() {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(piece())).toString();
        } catch (CharacterCodingException e) {
            throw damaged("UTF-8", "other bytes");
        }
    }

    private byte[] piece() {
        byte[] piece = new byte[count(1, "bytes")];
        bytes.get(piece);
        return piece;
    }

    /**
     * Reads a number of items. Throws if the payload is too short for so many items of at least {@code least}
     * bytes.
     */
    private int count(int least, String what) {
        long count = Integer.toUnsignedLong(u32());
        long most = bytes.remaining() / least;
        if (count > most) {
            throw damaged("at most " + most + " " + what, count);
        }
        return (int) count;
    }

    private int u8() {
        check(1);
        return bytes.get() & 0xff;
    }

    private int u32() {
        check(4);
        return bytes.getInt();
    }

    private long i64() {
        check(8);
        return bytes.getLong();
    }

    private void check(int length) {
        if (bytes.remaining() < length) {
            throw damaged("the rest of an operation", "the end");
        }
    }
}

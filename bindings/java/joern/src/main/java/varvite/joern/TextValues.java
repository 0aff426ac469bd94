package varvite.joern;

import java.util.Optional;
import varvite.IntList;
import varvite.Label;
import varvite.NodeSet;
import varvite.Property;
import varvite.TextIndex;
import varvite.TextProperty;
import varvite.TextTable;

/**
 * The texts of a property. Some thousand strings are remembered by their code, so that a property with few texts is read without making
 * any: steps read the same names again and again.
 */
final class TextValues extends Values {
    private static final int REMEMBERED_MAX = 1 << 14;
    /** What reading one value costs, beside one of a pass. */
    private static final int READS_OF_PASS = 16;

    private final TextProperty property;
    private final TextTable table;
    /** Null where the file has none. */
    private final TextIndex index;
    /** By the low bits of their code. An entry never changes, so that a race costs a string and no more. */
    private final Entry[] entries;

    private record Entry(int code, String text) {}

    TextValues(TextProperty property, Optional<TextIndex> index) {
        this.property = property;
        this.index = index.orElse(null);
        table = property.texts();
        int size = Integer.highestOneBit(Math.clamp(table.count(), 1, REMEMBERED_MAX));
        entries = new Entry[size];
    }

    @Override
    Property property() {
        return property;
    }

    @Override
    Object first(int owner, Object absent) {
        int code = property.code(owner);
        return code < 0 ? absent : text(code);
    }

    @Override
    Object at(int owner, int index) {
        return text(property.codeAt(owner, index));
    }

    private String text(int code) {
        int place = code & entries.length - 1;
        Entry entry = entries[place];
        if (entry != null && entry.code == code) {
            return entry.text;
        }
        if (code >= table.count()) {
            return null;
        }
        String text = table.get(code);
        entries[place] = new Entry(code, text);
        return text;
    }

    /** The code of a text, or -1 if nobody has it. */
    int find(String text) {
        return index == null ? table.find(text) : index.find(text);
    }

    /** The owners with a label that have the text of a code, in no order. */
    IntList owners(int code, Label label, NodeSet nodes) {
        IntList owners = new IntList();
        if (index != null) {
            index.append(code, label, owners);
        } else if (nodes.size() < property.valueCount() / READS_OF_PASS) {
            nodes.forEach(owner -> addIfHas(owner, code, owners));
        } else {
            scan(code, nodes, owners);
        }
        return owners;
    }

    private void addIfHas(int owner, int code, IntList owners) {
        if (occurrences(owner, code) > 0) {
            owners.add(owner);
        }
    }

    private void scan(int code, NodeSet nodes, IntList owners) {
        for (int owner = property.nextOwner(code, 0); owner >= 0; owner = property.nextOwner(code, owner + 1)) {
            if (nodes.contains(owner)) {
                owners.add(owner);
            }
        }
    }

    /** How often a text is among the values of an owner. */
    int occurrences(int owner, int code) {
        int count = 0;
        for (int i = property.count(owner) - 1; i >= 0; i--) {
            count += property.codeAt(owner, i) == code ? 1 : 0;
        }
        return count;
    }
}

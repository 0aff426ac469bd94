package varvite.joern;

import java.util.Optional;
import varvite.Cardinality;
import varvite.IntList;
import varvite.Label;
import varvite.NodeSet;
import varvite.TextIndex;
import varvite.TextProperty;
import varvite.TextTable;

/**
 * The texts of a property. Strings are cached by their code, because steps read the same names repeatedly.
 */
final class TextValues extends Values {
    /** The cost of a single read of a value, as a multiple of its cost in a pass over all values. */
    private static final int READS_OF_PASS = 16;
    /** The bytes of a string without its characters. */
    private static final int STRING_BYTES = 48;

    private final TextProperty property;
    private final TextTable table;
    /** The index of the property; null if the file has none. */
    private final TextIndex index;
    /** The strings made so far, by their code. */
    private final Kept<String> strings;
    private final boolean isList;

    TextValues(TextProperty property, Optional<TextIndex> index, Room room) {
        super(property, 0);
        this.property = property;
        this.index = index.orElse(null);
        table = property.texts();
        strings = new Kept<>(room, table.count());
        isList = property.info().cardinality() == Cardinality.LIST;
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
        String known = strings.kept(code);
        if (known != null || code >= table.count()) {
            return known;
        }
        String text = table.get(code);
        strings.keep(code, text, STRING_BYTES + text.length());
        return text;
    }

    /** Whether an owner may have several values. */
    boolean isList() {
        return isList;
    }

    /** The code of the first text of an owner; -1 if it has none. */
    int code(int owner) {
        return property.code(owner);
    }

    /** The code of value number {@code index} of an owner, from 0. */
    int codeAt(int owner, int index) {
        return property.codeAt(owner, index);
    }

    /** Whether the file has an index of the property's texts. */
    boolean isIndexed() {
        return index != null;
    }

    /** The code of a text; -1 if no node has the text. */
    int find(String text) {
        return index == null ? table.find(text) : index.find(text);
    }

    /** The owners that have a label and the text with a code, in any order. */
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

    /** The number of times that a text is among the values of an owner. */
    int occurrences(int owner, int code) {
        if (!isList) {
            return property.code(owner) == code ? 1 : 0;
        }
        int count = 0;
        for (int i = property.count(owner) - 1; i >= 0; i--) {
            count += property.codeAt(owner, i) == code ? 1 : 0;
        }
        return count;
    }
}

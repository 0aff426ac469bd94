package varvite.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names in a directory. Each name is stored only once, and the names fill the pool without gaps or
 * overlaps, so that they take no more memory than in the file.
 */
final class Names {
    private static final int NAME_MAX = 64 << 10;
    private static final int ROW = 8;

    private Names() {}

    /**
     * Reads {@code count} rows of (offset, length) at {@code rows}, and the texts at these ranges of the
     * pool.
     */
    static List<String> of(ByteBuffer bytes, int rows, int count, int pool, int poolLength, Faults faults) {
        List<String> texts = new ArrayList<>(count);
        Set<String> known = new HashSet<>();
        int end = 0;
        for (int number = 0; number < count; number++) {
            int start = bytes.getInt(rows + ROW * number);
            int length = bytes.getInt(rows + ROW * number + 4);
            String part = "directory, name " + number;
            if (start != end || length < 0 || length > NAME_MAX || length > poolLength - end) {
                throw faults.damaged(part, "the next range of the name pool", "another");
            }
            String text = text(bytes.slice(pool + start, length), part, faults);
            if (!known.add(text)) {
                throw faults.damaged(part, "a name of its own", "\"" + text + "\" again");
            }
            texts.add(text);
            end += length;
        }
        if (end != poolLength) {
            throw faults.damaged("directory, name pool", end + " bytes", poolLength);
        }
        return List.copyOf(texts);
    }

    private static String text(ByteBuffer bytes, String part, Faults faults) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw faults.damaged(part, "valid UTF-8", "other bytes");
        }
    }
}

package varvite.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import varvite.spi.Utf8;

/**
 * Converts Java strings to C strings. Refuses strings that C would read as other strings: those with an
 * unpaired surrogate, and names with a zero character.
 */
final class Words {
    private Words() {}

    /**
     * The UTF-8 bytes of a string that is passed with its length.
     *
     * @param what the purpose of the string, for the message
     * @throws IllegalArgumentException if the string has an unpaired surrogate
     */
    static byte[] bytes(String what, String text) {
        byte[] bytes = Utf8.bytes(text);
        if (bytes == null) {
            throw new IllegalArgumentException(what + " has half of a surrogate pair: " + shown(text));
        }
        return bytes;
    }

    /**
     * A name as a C string, which ends with a zero byte.
     *
     * @throws IllegalArgumentException if the name contains a zero character or an unpaired surrogate
     */
    static MemorySegment name(Arena arena, String what, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " contains a NUL, which ends texts in C: " + shown(text));
        }
        byte[] bytes = bytes(what, text);
        MemorySegment name = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, name, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
        return name;
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars().forEach(letter -> {
            if (letter == 0 || Character.isSurrogate((char) letter)) {
                shown.append(String.format("\\u%04x", letter));
            } else {
                shown.append((char) letter);
            }
        });
        return shown.append('"').toString();
    }
}

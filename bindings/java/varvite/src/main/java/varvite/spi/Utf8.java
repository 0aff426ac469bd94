package varvite.spi;

import java.nio.charset.StandardCharsets;

/**
 * Texts as the bytes that a file has of them. A string with half of a surrogate pair is no text: Java would
 * make a "?" of it.
 */
public final class Utf8 {
    private Utf8() {}

    /** The bytes of a text; null for a string that is none. */
    public static byte[] bytes(String text) {
        return isText(text) ? text.getBytes(StandardCharsets.UTF_8) : null;
    }

    /** Whether every surrogate is one of a pair. */
    private static boolean isText(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(at))) {
                    return false;
                }
                at++;
            }
        }
        return true;
    }
}

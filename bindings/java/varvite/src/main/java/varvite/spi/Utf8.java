package varvite.spi;

import java.nio.charset.StandardCharsets;

/**
 * Converts texts to UTF-8, as files store them. A string with an unpaired surrogate is no text: Java would
 * encode it as "?".
 */
public final class Utf8 {
    private Utf8() {}

    /** The UTF-8 bytes of a text; null for a string that is no text. */
    public static byte[] bytes(String text) {
        return isText(text) ? text.getBytes(StandardCharsets.UTF_8) : null;
    }

    /** Whether every surrogate is part of a pair. */
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

package varvite.spi;

import java.nio.charset.StandardCharsets;

/**
 * Converts strings to UTF-8, the encoding of texts in files. A string with an unpaired surrogate is not a
 * valid text: Java would encode the surrogate as "?".
 */
public final class Utf8 {
    private Utf8() {}

    /** The UTF-8 bytes of a string; null if it has an unpaired surrogate. */
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

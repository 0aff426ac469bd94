package varvite.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests the hashes that docs/format.md gives for checking a new reader. */
class Xxh3Test {
    @Test
    void noBytesHaveThePublishedHash() {
        assertEquals(0x2d06800538d394c2L, Xxh3.hash(new byte[0], 0));
    }

    @Test
    void seedsAndHashesAreThoseOfTheSpecification() {
        byte[] address = new byte[24];
        for (int i = 0; i < 16; i++) {
            address[i] = (byte) i;
        }
        byte[] fileId = java.util.Arrays.copyOf(address, 16);
        assertEquals(0x8355e3a6f61770dbL, Xxh3.hash(fileId, 0));
        address[16] = 1;
        address[20] = 2;
        long seed = Xxh3.hash(address, 0);
        assertEquals(0xf43a6140f883a05cL, seed);
        assertEquals(0x99b4bbffba0a05b5L, Xxh3.hash("varvite".getBytes(StandardCharsets.US_ASCII), seed));
    }
}

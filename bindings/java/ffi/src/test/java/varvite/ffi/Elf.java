package varvite.ffi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Parses a 64-bit Linux library to find the file offset of a function. Field names are those of
 * {@code elf.h}.
 */
record Elf(ByteBuffer bytes) {
    private static final int SHT_DYNSYM = 11;
    private static final int PT_LOAD = 1;
    private static final int SYMBOL_BYTES = 24;

    static Elf of(byte[] bytes) {
        return new Elf(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** The offset, in the file, of the function with this name. */
    int function(String name) {
        int section = dynamicSymbols();
        int names = (int) bytes.getLong(section(bytes.getInt(section + 40)) + 24);
        int start = (int) bytes.getLong(section + 24);
        int end = start + (int) bytes.getLong(section + 32);
        for (int symbol = start; symbol < end; symbol += SYMBOL_BYTES) {
            if (text(names + bytes.getInt(symbol)).equals(name)) {
                return placeOf(bytes.getLong(symbol + 8));
            }
        }
        throw new IllegalArgumentException("no function " + name);
    }

    private int dynamicSymbols() {
        for (int i = 0; ; i++) {
            if (bytes.getInt(section(i) + 4) == SHT_DYNSYM) {
                return section(i);
            }
        }
    }

    /** The offset of a section's header, computed from {@code e_shoff} and the size of a header. */
    private int section(int index) {
        return (int) bytes.getLong(40) + index * bytes.getShort(58);
    }

    /** Converts an address to an offset in the file, using the segment that is loaded at the address. */
    private int placeOf(long address) {
        for (int i = 0; i < bytes.getShort(56); i++) {
            int segment = (int) bytes.getLong(32) + i * bytes.getShort(54);
            long distance = address - bytes.getLong(segment + 16);
            if (bytes.getInt(segment) == PT_LOAD && distance >= 0 && distance < bytes.getLong(segment + 32)) {
                return (int) (bytes.getLong(segment + 8) + distance);
            }
        }
        throw new IllegalArgumentException("address " + address + " is not loaded");
    }

    private String text(int at) {
        int end = at;
        while (bytes.get(end) != 0) {
            end++;
        }
        return new String(bytes.array(), at, end - at, StandardCharsets.US_ASCII);
    }
}

package varvite;

import java.util.HexFormat;
import varvite.format.GraphFile;

/**
 * The file and commit of a graph: equal identities mean equal content. Results for one graph, such as ids,
 * hold for another of the same identity, and for no other.
 *
 * @param file the id in the header of the file, 32 hexadecimal digits
 * @param generation the commit that is read
 * @param checksum of the last record of its log; of its directory, if it has none
 */
public record Identity(String file, long generation, long checksum) {
    static Identity of(GraphFile file) {
        return new Identity(HexFormat.of().formatHex(file.header().fileId()), file.generation(), file.log().checksum());
    }

    @Override
    public String toString() {
        return file + "-" + Long.toUnsignedString(generation) + "-" + HexFormat.of().toHexDigits(checksum);
    }
}

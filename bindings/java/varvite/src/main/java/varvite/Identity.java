package varvite;

import java.util.HexFormat;
import varvite.format.GraphFile;

/**
 * The file and commit of a graph. Graphs with equal identities have equal content. Results for a graph, such
 * as ids, are valid only for graphs with the same identity.
 *
 * @param file the id in the header of the file, 32 hexadecimal digits
 * @param generation the generation of the open commit
 * @param checksum the checksum of the last log record after the commit, or, without a log, that of the
 * commit's directory
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

package varvite;

import varvite.format.Log;

/**
 * The log behind the newest large commit of a file when it was opened.
 *
 * @param records small commits; the graph includes all of them
 * @param bytes their bytes in the file
 * @param leftoverBytes bytes behind them: of a commit or record that was not finished, or is being written;
 * they count for nothing
 */
public record LogInfo(int records, long bytes, long leftoverBytes) {
    static LogInfo of(Log log) {
        return new LogInfo(log.payloads().size(), log.bytes(), log.leftoverBytes());
    }
}

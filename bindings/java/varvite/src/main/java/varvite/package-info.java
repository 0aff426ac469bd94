/**
 * Graphs in {@code .varvite} files, read in place.
 *
 * <p>{@link varvite.Graph#open} maps a file and reads its directory. The graph is then read on one of three
 * levels:
 *
 * <ol>
 *   <li>columns: {@link varvite.Adjacency}, {@link varvite.Labels}, {@link varvite.NodeSet}, {@link varvite.Subtree} and the subclasses
 *       of {@link varvite.Property}, for loops written by hand;
 *   <li>reusable cursors and bulk calls: {@link varvite.NeighborCursor}, {@link varvite.Adjacency#expand},
 *       {@link varvite.IntList};
 *   <li>handles: {@link varvite.Node} and {@link varvite.Edge}, small records for code where convenience
 * matters more than speed.
 * </ol>
 *
 * <p>The first two levels allocate nothing for a hop or a value. Node ids are ints from 0; {@code -1} means
 * that there is no node.
 *
 * <h2>Snapshots</h2>
 *
 * A graph is a snapshot of its file at the time of opening. Existing bytes of a file are never changed. If
 * another file replaces the file under its name, readers keep the old file, also for columns that are decoded
 * later.
 *
 * <p><b>No program may shorten an open file.</b> A read of the missing part throws an {@link InternalError}
 * in this module, and a {@link varvite.error.VarviteException} with the number -12 in columns that the engine
 * decodes. A run or property of {@code varvite.ffi.NativeGraph} reads the engine's own map, where such a read
 * ends the process (SIGBUS). Open files that other programs may change with {@link varvite.OpenMode#BUFFERED}
 * or {@code NativeGraph.open(path, true)}: these copy the file to private memory and check every block.
 *
 * <h2>Pins</h2>
 *
 * Columns of direct and compact files, except long texts, are read in place, so nothing is decoded and no
 * slice has to be released: a slice is a view of the mapped file, valid until the graph is closed. A column
 * of numbers in blocks of a codec is decoded as a whole on first use, if the native library is present, and
 * stays until the graph is closed. A block of texts is decoded when one of its texts is read, and kept within
 * the engine's memory limit; a block from which a slice was taken stays until the graph is closed. Mapped
 * bytes are clean pages of the page cache, which the operating system can reclaim at any time.
 *
 * <h2>Closing</h2>
 *
 * {@link varvite.Graph#close} invalidates all objects that the graph returned, on all threads at once. A read
 * afterwards or during the call throws {@link varvite.error.GraphClosedException}; a read of a {@link
 * java.lang.foreign.MemorySegment} that the graph returned throws {@link IllegalStateException}. A graph that
 * the program does not close is closed when the graph and all its columns and cursors are unreachable; a
 * segment alone does not keep it open.
 */
package varvite;

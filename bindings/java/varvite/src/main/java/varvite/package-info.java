/**
 * Graphs in {@code .varvite} files, read in place.
 *
 * <p>{@link varvite.Graph#open} maps a file and reads its directory. From there are three layers:
 *
 * <ol>
 *   <li>columns: {@link varvite.Adjacency}, {@link varvite.Labels}, {@link varvite.NodeSet}, {@link varvite.Subtree} and the subclasses
 *       of {@link varvite.Property}, for loops written by hand;
 *   <li>reusable cursors and bulk calls: {@link varvite.NeighborCursor}, {@link varvite.Adjacency#expand},
 *       {@link varvite.IntList};
 *   <li>handles: {@link varvite.Node} and {@link varvite.Edge}, small records for code that is not in a hurry.
 * </ol>
 *
 * <p>The first two allocate nothing for a hop or a value. Node ids are ints from 0; {@code -1} stands for
 * none.
 *
 * <h2>Snapshots</h2>
 *
 * A graph is a snapshot of its file from the time of opening: files are never changed in place, and a file
 * that replaces another under its name does not disturb readers that have the old one open, even for columns
 * that are decoded later.
 *
 * <p><b>No program may shorten an open file.</b> A read of the missing part is an {@link InternalError} here,
 * and a {@link varvite.error.VarviteException} with the number -12 in columns that the engine decodes. A run
 * or property of {@code varvite.ffi.NativeGraph} reads a map of the engine's own, and there it ends the
 * process (SIGBUS). Open files that others may change with {@link varvite.OpenMode#BUFFERED}, or as {@code
 * NativeGraph.open(path, true)}: these read into memory of their own and check every block.
 *
 * <h2>Pins</h2>
 *
 * Columns of direct and compact files are stored as they are read (but for long texts), so nothing is
 * decoded, and no slice has to be released: it is a view of the mapped file, good until the graph is closed.
 * A column of numbers in blocks of a codec is decoded whole when it is first touched, where the native
 * library is present, and stays until the graph is closed. Blocks of texts are decoded when one of their
 * texts is read, and kept within the engine's limit of memory; only a block with a slice in use stays until
 * the graph is closed. Mapped bytes are clean memory of the page cache: the operating system takes them back
 * when it needs them.
 *
 * <h2>Closing</h2>
 *
 * {@link varvite.Graph#close} ends the life of everything that came from the graph, on all threads at once. A
 * read afterwards, or one that runs meanwhile, throws {@link varvite.error.GraphClosedException}; a {@link
 * java.lang.foreign.MemorySegment} that was handed out throws {@link IllegalStateException}. A graph that is
 * never closed is closed when neither it nor a column or cursor of it can be reached any more; a segment
 * alone does not keep it open.
 */
package varvite;

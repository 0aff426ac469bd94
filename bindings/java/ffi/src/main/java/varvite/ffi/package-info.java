/**
 * The native engine: {@link varvite.ffi.FlatgraphImport} makes graph files, {@link varvite.ffi.NativeGraph}
 * runs queries in the engine, {@link varvite.ffi.GraphChange} and {@link varvite.ffi.GraphLog} apply diffs,
 * and {@link varvite.ffi.NativeEngineProvider} decodes columns for {@link varvite.Graph}.
 *
 * <p>The engine maps files itself. If another program shortens a mapped file, a read of the missing part ends
 * the process (SIGBUS); to prevent this, {@link varvite.ffi.NativeGraph#open} can copy the file to buffers
 * instead. {@link varvite.Graph} does not have this problem.
 *
 * <p>The native library is searched for in this order: the file or folder in the system property
 * {@code varvite.library}, the folders of {@code java.library.path}, and the jar {@code varvite-native} for
 * this platform. From the jar, the library is copied once to a folder of the user, under the hash of its
 * content, and all processes use this copy. The system property {@code varvite.cache} selects another folder.
 */
package varvite.ffi;

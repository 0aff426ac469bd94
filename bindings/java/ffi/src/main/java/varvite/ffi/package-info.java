/**
 * The native engine: {@link varvite.ffi.FlatgraphImport} makes graph files, {@link varvite.ffi.NativeGraph}
 * runs queries in the engine, {@link varvite.ffi.GraphChange} and {@link varvite.ffi.GraphLog} apply diffs,
 * and {@link varvite.ffi.NativeEngineProvider} decodes columns for {@link varvite.Graph}.
 *
 * <p>The engine maps files itself. If another program shortens a mapped file, a read of the missing part ends
 * the process (SIGBUS); {@link varvite.ffi.NativeGraph#open} can read into buffers instead. {@link
 * varvite.Graph} does not have this problem.
 *
 * <p>The library is searched in this order: the file or folder in the system property {@code
 * varvite.library}, the folders of {@code java.library.path}, and the jar {@code varvite-native} of this
 * platform. From the jar it is copied once to a folder of the user, under the hash of its content, and all
 * processes use that copy; the system property {@code varvite.cache} names another folder.
 */
package varvite.ffi;

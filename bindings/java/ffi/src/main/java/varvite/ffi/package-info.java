/**
 * The native engine: {@link varvite.ffi.FlatgraphImport} makes graph files, {@link varvite.ffi.NativeGraph}
 * runs queries in the engine, {@link varvite.ffi.GraphChange} and {@link varvite.ffi.GraphLog} apply diffs,
 * and {@link varvite.ffi.NativeEngineProvider} decodes columns for {@link varvite.Graph}.
 *
 * <p>The engine reads files through a map of its own. If another program shortens the file, that ends the
 * process (SIGBUS): see {@link varvite.ffi.NativeGraph#open}, which also reads into buffers. {@link
 * varvite.Graph} is not concerned.
 *
 * <p>The library is looked for in this order: the system property {@code varvite.library}, the folders of
 * {@code java.library.path}, and the jar {@code varvite-native} of this platform. From the jar it is copied
 * once to a folder of the user, under a name made of its content, and used from there by all processes;
 * {@code varvite.cache} names another folder.
 */
package varvite.ffi;

/**
 * The native engine of Varvite, for work that the module {@code varvite} does not do: decoding compressed
 * columns, running queries, importing foreign graphs, applying diffs, and pinning values block by block.
 *
 * <p>All calls of Varvite that Java restricts are in this module; {@code --enable-native-access=varvite.ffi}
 * permits these calls and no others. If this module is on the module path, {@code varvite.Graph} reads files
 * of every profile; the program itself does not have to call this module.
 */
module varvite.ffi {
    requires transitive varvite;

    exports varvite.ffi;

    provides varvite.spi.EngineProvider with
            varvite.ffi.NativeEngineProvider;
}

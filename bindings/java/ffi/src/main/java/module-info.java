/**
 * The native engine of Varvite, for work that the module {@code varvite} does not do itself: decode columns
 * of a codec, import foreign graphs, apply diffs, pin values block by block.
 *
 * <p>Every restricted call of Varvite is in this module: {@code --enable-native-access=varvite.ffi} permits
 * them, and nothing else. With it on the path, {@code varvite.Graph} reads files of every profile; nothing
 * needs to be called for that.
 */
module varvite.ffi {
    requires transitive varvite;

    exports varvite.ffi;

    provides varvite.spi.EngineProvider with
            varvite.ffi.NativeEngineProvider;
}

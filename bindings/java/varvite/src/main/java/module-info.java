/**
 * Varvite for Java: reads {@code .varvite} graphs in place, without a native library.
 *
 * <p>{@link varvite} holds graphs and their columns, {@link varvite.error} what can go wrong,
 * {@link varvite.pipeline} descriptions of what is sought, which the native engine runs, {@link varvite.walk}
 * walks, {@link varvite.change} diffs, which it applies, and {@link varvite.typed} what the output of
 * {@code varvite generate java} is made of. The module needs nothing but {@code java.base} and makes no
 * restricted call, so that no {@code --enable-native-access} is asked for. Where the module
 * {@code varvite.ffi} is present, columns in blocks of a codec are decoded by the native library.
 */
module varvite {
    exports varvite;
    exports varvite.change;
    exports varvite.error;
    exports varvite.pipeline;
    exports varvite.spi;
    exports varvite.typed;
    exports varvite.walk;

    uses varvite.spi.EngineProvider;
}

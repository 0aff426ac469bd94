/**
 * Varvite for Java: reads {@code .varvite} graphs in place, without a native library.
 *
 * <p>{@link varvite} holds graphs and their columns, {@link varvite.error} exceptions, {@link
 * varvite.pipeline} descriptions of queries, which the native engine runs, {@link varvite.walk} walks, {@link
 * varvite.change} diffs, which it applies, and {@link varvite.typed} the base of the output of {@code varvite
 * generate java}. The module needs only {@code java.base} and makes no restricted call, so that it needs no
 * {@code --enable-native-access}. Where the module {@code varvite.ffi} is present, columns in blocks of a
 * codec are decoded by the native library.
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

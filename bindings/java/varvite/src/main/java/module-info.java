/**
 * Varvite for Java: reads {@code .varvite} graphs in place, without a native library.
 *
 * <p>Packages: {@link varvite} has graphs and their columns; {@link varvite.error} exceptions; {@link
 * varvite.pipeline} descriptions of queries, which the native engine runs; {@link varvite.walk} walks; {@link
 * varvite.change} diffs, which the native engine applies; and {@link varvite.typed} base classes of the code
 * that {@code varvite generate java} writes. The module needs only {@code java.base} and calls no restricted
 * method, so it needs no {@code --enable-native-access}. If the module {@code varvite.ffi} is present, the
 * native library decodes columns in blocks of a codec.
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

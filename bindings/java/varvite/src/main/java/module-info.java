/**
 * Varvite for Java: reads {@code .varvite} graphs in place, without a native library.
 *
 * <p>The package {@link varvite} has graphs and their columns, {@link varvite.error} the exceptions, and
 * {@link varvite.walk} walks. {@link varvite.pipeline} describes queries, which the native engine runs, and
 * {@link varvite.change} describes diffs, which the native engine applies. {@link varvite.typed} has the code
 * shared by the classes that {@code varvite generate java} writes. The module needs only {@code java.base}
 * and calls no restricted method, so it needs no {@code --enable-native-access}. If the module
 * {@code varvite.ffi} is present, the native library decodes compressed columns.
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

package varvite.error;

import java.util.List;

/**
 * There is no native library that this process can use. The message has the wanted file, the searched places,
 * and the files found there.
 */
public final class NativeLibraryException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final String platform;
    private final transient List<String> tried;

    /**
     * No library.
     *
     * @param platform the platform that it must be made for, such as {@code linux-x86_64}
     * @param wanted the searched file
     * @param tried each place, and why it was not that
     */
    public NativeLibraryException(String platform, String wanted, List<String> tried) {
        super(
                "no native library for " + platform + ": looked for " + wanted + " in " + String.join("; ", tried)
                        + ". Add the jar varvite-native with the classifier " + platform
                        + ", or set -Dvarvite.library to the path of the library",
                null);
        this.platform = platform;
        this.tried = List.copyOf(tried);
    }

    /** The platform that the library must be made for. */
    public String platform() {
        return platform;
    }

    /** Each place that was tried, and why the library there cannot be used; null after serialisation. */
    public List<String> tried() {
        return tried;
    }

    @Override
    public int number() {
        return -22;
    }
}

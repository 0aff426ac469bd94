package varvite.error;

import java.util.List;

/**
 * The search for a native library found none that this process can use. The message names the wanted file,
 * the searched locations, and the files found there.
 */
public final class NativeLibraryException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final String platform;
    private final transient List<String> tried;

    /**
     * Makes the exception for a failed search for the library.
     *
     * @param platform the platform that the library must be built for, such as {@code linux-x86_64}
     * @param wanted the name of the file that was searched for
     * @param tried each searched location, and the reason why no library there can be used
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

    /** Each searched location, with the reason why no library there can be used; null after serialisation. */
    public List<String> tried() {
        return tried;
    }

    @Override
    public int number() {
        return -22;
    }
}

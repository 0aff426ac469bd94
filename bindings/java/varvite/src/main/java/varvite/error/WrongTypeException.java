package varvite.error;

/** A property does not have a type that the call can read. */
public final class WrongTypeException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final String name;
    private final String expected;
    private final String found;

    /**
     * Makes the exception for a property of another type.
     *
     * @param name the property
     * @param expected the types that the call reads
     * @param found the property's type in the schema
     */
    public WrongTypeException(String name, String expected, String found) {
        super("property " + name + " holds " + found + ", not " + expected, null);
        this.name = name;
        this.expected = expected;
        this.found = found;
    }

    /** The property. */
    public String name() {
        return name;
    }

    /** The types that the call reads. */
    public String expected() {
        return expected;
    }

    /** The property's type in the schema. */
    public String found() {
        return found;
    }

    @Override
    public int number() {
        return -32;
    }
}

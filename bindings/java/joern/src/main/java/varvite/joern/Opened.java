package varvite.joern;

import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;

/**
 * Objects by number, each made at its first use, such as the reader of a column. An object is made once, and
 * stays until the storage is dropped.
 *
 * <p>May be used by any number of threads. An object is read without a lock, because all fields of the
 * objects are final and a fence follows their writes; {@link Kept} explains why this is safe.
 */
final class Opened<T> {
    private final Object[] objects;
    private final IntFunction<T> maker;

    /** Objects for numbers below {@code count}. The maker returns null if there is no object. */
    Opened(int count, IntFunction<T> maker) {
        objects = new Object[count];
        this.maker = maker;
    }

    /** The object of a number, or null if there is none. */
    @SuppressWarnings("unchecked")
    T get(int number) {
        Object known = objects[number];
        return known == null ? make(number) : (T) known;
    }

    @SuppressWarnings("unchecked")
    private synchronized T make(int number) {
        if (objects[number] == null) {
            T made = maker.apply(number);
            VarHandle.releaseFence();
            objects[number] = made;
        }
        return (T) objects[number];
    }
}

package flatgraph;

import flatgraph.storage.Deserialization;
import flatgraph.storage.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import scala.Option;

/**
 * Reads and writes flatgraph files with flatgraph's own classes. The two methods are looked up by name,
 * because the last parameter, an executor, and the type of the result are not the same in all versions of
 * flatgraph.
 */
final class HeapFile {
    private static final Method READ = method(Deserialization.class, "readGraph");
    private static final Method WRITE = method(Serialization.class, "writeGraph");

    private HeapFile() {}

    /** The graph of a file, or an empty graph if the file is empty or does not exist. */
    static Graph open(Schema schema, Path path, boolean persistOnClose) {
        try {
            if (Files.exists(path) && Files.size(path) > 0) {
                return (Graph) call(READ, path, Option.apply(schema), persistOnClose, Option.empty());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Graph(schema, persistOnClose ? Option.apply(path) : Option.empty());
    }

    static void write(Graph graph, Path path) {
        call(WRITE, graph, path, Option.empty());
    }

    private static Method method(Class<?> owner, String name) {
        Predicate<Method> isIt = method -> method.getName().equals(name) && Modifier.isStatic(method.getModifiers());
        return Arrays.stream(owner.getMethods()).filter(isIt).findFirst()
                .orElseThrow(() -> new NoSuchMethodError(owner.getName() + "." + name));
    }

    /** Calls a static method with as many of the arguments as it has parameters. */
    private static Object call(Method method, Object... arguments) {
        try {
            return method.invoke(null, Arrays.copyOf(arguments, method.getParameterCount()));
        } catch (InvocationTargetException e) {
            throw HeapFile.<RuntimeException>unchecked(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalAccessError(e.getMessage());
        }
    }

    /** The same exception: flatgraph's methods are compiled by Scala, and may throw any. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }
}

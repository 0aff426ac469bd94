// A program that does nothing useful, so that queries about Java have rows in its graph: calls of dangerous
// methods, annotations, inheritance, modifiers, lambdas and exceptions.
// TODOs: a query looks for comments with such words.
package asked;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

@Retention(RetentionPolicy.RUNTIME)
@interface Route {
    String path();
    int order() default 1;
}

interface Handler {
    String handle(String request) throws Exception;
}

abstract class Base implements Handler {
    protected static final String SECRET = "password123";
    private int count = 0;
    public volatile boolean open;

    Base(int count) {
        this.count = count;
    }

    public abstract String handle(String request) throws Exception;

    protected final int next() {
        count += 1;
        return count;
    }

    private static int twice(int value) {
        return value * 2;
    }

    static int sum(int[] values) {
        int total = 0;
        for (int i = 0; i < values.length; i++) {
            total += twice(values[i]);
        }
        for (int value : values) {
            total -= value;
        }
        return total;
    }
}

@Route(path = "/run", order = 2)
class Runner extends Base {
    Runner() {
        super(7);
    }

    @Override
    @Deprecated
    public String handle(String request) throws Exception {
        if (request == null || request.isEmpty()) {
            return "";
        }
        Process process = Runtime.getRuntime().exec("sh -c " + request);
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        } finally {
            process.destroy();
        }
        return request;
    }

    Object reflect(Object target, String name) throws Exception {
        Method method = target.getClass().getMethod(name);
        return method.invoke(target);
    }
}

class Query extends Base {
    private final Connection connection;

    Query(Connection connection) {
        super(1);
        this.connection = connection;
    }

    @Override
    public String handle(String request) throws Exception {
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM users WHERE id = " + request);
        List<String> names = new ArrayList<>();
        while (rows.next()) {
            names.add(rows.getString(1));
        }
        names.forEach(name -> System.out.println(name));
        return String.join(",", names);
    }

    byte[] hash(byte[] text) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("MD5");
        digest.update(text);
        return digest.digest();
    }
}

public class asked {
    enum Level { LOW, HIGH }

    static int factorial(int n) {
        return n < 2 ? 1 : n * factorial(n - 1);
    }

    static boolean isEven(int n) {
        return n == 0 || isOdd(n - 1);
    }

    static boolean isOdd(int n) {
        return n != 0 && isEven(n - 1);
    }

    static int many(int a, int b, int c, int d, int e, int f) {
        switch (a) {
            case 1:
                return b;
            case 2:
                return c;
            default:
                break;
        }
        do {
            d--;
        } while (d > 0);
        return e + f;
    }

    public static synchronized void main(String[] args) throws Exception {
        Base base = args.length > 1 ? new Runner() : new Query(null);
        String answer = base.handle(args[0]);
        Handler upper = text -> text.toUpperCase();
        System.out.println(upper.handle(answer) + Base.sum(new int[] {1, 2, 3}));
        System.out.println("see https://example.org/ " + factorial(5) + isEven(4));
        many(1, 2, 3, 4, 5, 6);
    }
}

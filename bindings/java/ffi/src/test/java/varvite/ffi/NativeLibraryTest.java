package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.EngineException;
import varvite.error.NativeLibraryException;

/** Tests of the search for the library, and of the errors for libraries that cannot be used. */
class NativeLibraryTest {
    private static final Platform HERE = Platform.current();

    @TempDir
    Path folder;

    @Test
    void processorsHaveOneNameEach() {
        assertEquals("linux-x86_64", Platform.of("Linux", "amd64").classifier());
        assertEquals("macos-aarch64", Platform.of("Mac OS X", "aarch64").classifier());
        assertEquals("windows-x86_64", Platform.of("Windows 11", "amd64").classifier());
    }

    @Test
    void theJarsLibraryIsExtractedOnceUnderItsHash() throws IOException {
        Path path = search(HERE, Map.of("varvite.cache", folder.toString())).find().path();
        assertTrue(path.startsWith(folder), path.toString());
        var made = Files.getLastModifiedTime(path);
        assertEquals(path, search(HERE, Map.of("varvite.cache", folder.toString())).find().path());
        assertEquals(made, Files.getLastModifiedTime(path));
        try (Stream<Path> files = Files.list(path.getParent())) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void aNamedFileOrFolderComesFirst() {
        Path library = NativeLibrary.get().path();
        assertEquals(library, search(HERE, Map.of("varvite.library", library.toString())).find().path());
        assertEquals(library, search(HERE, Map.of("varvite.library", library.getParent().toString())).find().path());
        assertEquals(library, search(HERE, Map.of("java.library.path", "/nowhere:" + library.getParent())).find().path());
    }

    @Test
    void aMissingLibraryIsToldWithEveryPlace() {
        Platform mars = new Platform("mars", "rover");
        NativeLibraryException e = assertThrows(
                NativeLibraryException.class, () -> search(mars, Map.of("java.library.path", "/usr/java/lib")).find());
        assertEquals("mars-rover", e.platform());
        assertEquals(3, e.tried().size());
        for (String part : new String[] {"mars-rover", "varvite.library", "/usr/java/lib", "interface 1.0", "classifier"}) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    @Test
    void aNamedLibraryThatIsNotThereIsTold() {
        String path = folder.resolve("libvarvite.so").toString();
        assertTold("there is no such file", path);
    }

    @Test
    void aLibraryOfAnotherProcessorIsTold() throws IOException {
        byte[] bytes = Files.readAllBytes(NativeLibrary.get().path());
        bytes[18] = (byte) (HERE.arch().equals("aarch64") ? 62 : 183);
        Path path = folder.resolve("libvarvite.so");
        Files.write(path, bytes);
        assertTold(HERE.arch().equals("aarch64") ? "made for x86_64" : "made for aarch64", path.toString());
    }

    /** Uses a copy of the library whose function for the interface version returns 9.3. */
    @Test
    void aLibraryOfAnotherInterfaceIsTold() throws IOException {
        assumeTrue(HERE.os().equals("linux") && HERE.arch().equals("x86_64"), "the patch is code of x86-64");
        byte[] bytes = Files.readAllBytes(NativeLibrary.get().path());
        // mov eax, 0x00090003; ret
        byte[] code = {(byte) 0xb8, 3, 0, 9, 0, (byte) 0xc3};
        System.arraycopy(code, 0, bytes, Elf.of(bytes).function("varvite_abi_version"), code.length);
        Path path = folder.resolve("libvarvite.so");
        Files.write(path, bytes);
        assertTold("it has interface 9.3", path.toString());
    }

    @Test
    void whatIsNoLibraryIsTold() throws IOException {
        Path path = Files.writeString(folder.resolve("libvarvite.so"), "not a library, but some text");
        assertTold("not a library of Linux", path.toString());
    }

    @Test
    void anotherLibraryIsTold() throws IOException {
        Path libc = Stream.of("/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/usr/lib/libm.so.6")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        assertTold("no varvite_abi_version", libc.toString());
    }

    private static void assertTold(String reason, String library) {
        NativeLibraryException e = assertThrows(
                NativeLibraryException.class, () -> search(HERE, Map.of("varvite.library", library)).find());
        assertTrue(e.getMessage().contains(library) && e.getMessage().contains(reason), e.getMessage());
    }

    private static NativeLibrary.Search search(Platform platform, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("user.home", System.getProperty("user.home")));
        all.putAll(properties);
        return new NativeLibrary.Search(platform, all);
    }

    @Test
    void whatAnImportRefusesIsTold() {
        EngineException e = assertThrows(
                EngineException.class,
                () -> FlatgraphImport.to(varvite.Profile.COMPACT).run(Path.of("/nowhere/cpg.bin"), folder.resolve("x")));
        assertEquals("VARVITE_E_IO", e.codeName());
        assertEquals(2, e.osNumber());
        assertTrue(e.getMessage().contains("/nowhere/cpg.bin"), e.getMessage());
    }
}

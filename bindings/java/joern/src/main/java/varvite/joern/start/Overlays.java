package varvite.joern.start;

import io.joern.console.FrontendConfig;
import io.joern.console.InstallConfig;
import io.joern.console.cpgcreation.CpgGenerator;
import io.joern.joerncli.DefaultOverlays;
import io.shiftleft.codepropertygraph.generated.Cpg;
import io.shiftleft.codepropertygraph.generated.CpgNodeStarters;
import io.shiftleft.codepropertygraph.generated.PropertyNames;
import scala.Option;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/**
 * Adds Joern's default overlays, including data flow, to the {@code cpg.bin} of a frontend, and then runs the
 * passes for the language of the source code, as {@code joern-parse} does after the frontend.
 */
public final class Overlays {
    private Overlays() {}

    /** The entry point. Its argument is the file. */
    public static void main(String[] words) {
        try (Cpg cpg = DefaultOverlays.create(words[0], DefaultOverlays.defaultMaxNumberOfDefinitions())) {
            Option<CpgGenerator> generator = generator(language(cpg));
            if (generator.isDefined()) {
                generator.get().applyPostProcessingPasses(cpg);
            }
        }
    }

    private static String language(Cpg cpg) {
        return new CpgNodeStarters(cpg).metaData().next().properties().apply(PropertyNames.LANGUAGE).toString();
    }

    private static Option<CpgGenerator> generator(String language) {
        List<String> none = List$.MODULE$.empty();
        return io.joern.console.cpgcreation.package$.MODULE$.cpgGeneratorForLanguage(
                language, FrontendConfig.apply(), InstallConfig.apply().rootPath(), none);
    }
}

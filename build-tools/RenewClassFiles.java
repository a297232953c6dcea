import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Brings classes of a jar to the format of Java 8, in place, where theirs is older: the JVM keeps none in an AOT cache
 * that was compiled for Java 5, and would read and verify it at each start. What they do stays the same; they only get
 * the stack maps that newer formats ask for. A jar without such classes is not touched.
 *
 * <pre>java RenewClassFiles.java JAR</pre>
 */
final class RenewClassFiles {
    private static final ClassTransform RENEWAL = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
            .andThen(ClassTransform.endHandler(renewed -> renewed.withVersion(ClassFile.JAVA_8_VERSION, 0)));

    private RenewClassFiles() {}

    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        try (URLClassLoader types = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                FileSystem content = FileSystems.newFileSystem(jar)) {
            ClassFile format = ClassFile.of(
                    StackMapsOption.GENERATE_STACK_MAPS,
                    ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(types)));
            for (Path file : classes(content.getPath("/"))) {
                ClassModel old = format.parse(Files.readAllBytes(file));
                if (old.majorVersion() < ClassFile.JAVA_8_VERSION) {
                    Files.write(file, format.transformClass(old, RENEWAL));
                }
            }
        }
    }

    private static List<Path> classes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }
}

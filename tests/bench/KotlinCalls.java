import com.intellij.openapi.util.Disposer;
import com.intellij.psi.PsiElement;
import com.intellij.psi.PsiFile;
import com.intellij.psi.PsiNameIdentifierOwner;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import org.jetbrains.kotlin.cli.common.*;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;
import org.jetbrains.kotlin.resolve.calls.callUtil.CallUtilKt;
import org.jetbrains.kotlin.resolve.calls.model.*;

/**
 * Writes what Kotlin's compiler says every call of a tree's Kotlin files leads to; bench_compiled_edges.py compares the
 * resolver with it.
 *
 * <p>Run: java -noverify -cp 'KOTLINC/lib/*' KotlinCalls.java ROOT OUTPUT.json [CLASSPATH]
 *
 * <p>The answer is a list of [path, line, name, number, targets, overloads] in the order of the text, the last empty;
 * targets are [path, line] of definitions inside ROOT, "external" for what stands elsewhere or in no file, "unknown".
 * What makes an object calls the constructor and its class. A call of a value is that of its operator.
 */
public class KotlinCalls extends KtTreeVisitorVoid {
    private final Path root;
    private final BindingContext known;
    private final List<String> rows = new ArrayList<>();
    private String path = "";

    private KotlinCalls(Path root, BindingContext known) {
        this.root = root;
        this.known = known;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toRealPath();
        CompilerConfiguration settings = new CompilerConfiguration();
        settings.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        settings.put(CommonConfigurationKeys.MODULE_NAME, "main");
        String own = System.getProperty("java.class.path");
        String behind = own + (arguments.length > 2 ? File.pathSeparator + arguments[2] : "");
        JvmContentRootsKt.addJvmClasspathRoots(
                settings, Stream.of(behind.split(File.pathSeparator)).map(File::new).toList());
        try (Stream<Path> found = Files.walk(root)) {
            ContentRootsKt.addKotlinSourceRoots(
                    settings, found.map(Path::toString).filter(path -> path.endsWith(".kt")).sorted().toList());
        }
        JvmContentRootsKt.addJavaSourceRoots(settings, javaRoots(root));
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
                Disposer.newDisposable(), settings, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        BindingContext known = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(
                environment.getProject(), environment.getSourceFiles(), new NoScopeRecordCliBindingTrace(), settings,
                environment::createPackagePartProvider).getBindingContext();
        KotlinCalls calls = new KotlinCalls(root, known);
        for (KtFile file : environment.getSourceFiles()) {
            calls.path = root.relativize(Path.of(file.getVirtualFilePath())).toString();
            file.accept(calls);
        }
        Files.writeString(Path.of(arguments[1]), "[" + String.join(",\n", calls.rows) + "]\n");
        System.exit(0);
    }

    /** Returns the folders that the packages of the tree's Java files begin in. */
    private static List<File> javaRoots(Path root) throws IOException {
        Set<File> roots = new TreeSet<>();
        Pattern declared = Pattern.compile("^package\\s+([\\w.]+)", Pattern.MULTILINE);
        try (Stream<Path> found = Files.walk(root)) {
            for (Path file : found.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher said = declared.matcher(Files.readString(file));
                String name = said.find() ? said.group(1).replace('.', '/') : "";
                if (!name.isEmpty() && file.getParent().endsWith(name)) {
                    String path = file.getParent().toString();
                    roots.add(new File(path.substring(0, path.length() - name.length())));
                }
            }
        }
        return List.copyOf(roots);
    }

    @Override
    public void visitCallExpression(KtCallExpression call) {
        // What stands in brackets before the arguments is called after all inside them.
        if (call.getCalleeExpression() instanceof KtSimpleNameExpression name) {
            int row = rows.size();
            rows.add("");
            rows.set(row, answer(name, name.getReferencedName(), call));
        }
        super.visitCallExpression(call);
    }

    @Override
    public void visitSuperTypeCallEntry(KtSuperTypeCallEntry call) {
        KtSimpleNameExpression name = call.getCalleeExpression().getConstructorReferenceExpression();
        if (name != null) {
            rows.add(answer(name, name.getReferencedName(), call));
        }
        super.visitSuperTypeCallEntry(call);
    }

    @Override
    public void visitAnnotationEntry(KtAnnotationEntry call) {
        KtConstructorCalleeExpression made = call.getValueArgumentList() == null ? null : call.getCalleeExpression();
        KtSimpleNameExpression name = made == null ? null : made.getConstructorReferenceExpression();
        if (name != null) {
            rows.add(answer(name, name.getReferencedName(), call));
        }
        super.visitAnnotationEntry(call);
    }

    private String answer(KtElement name, String written, KtElement call) {
        return String.format("[\"%s\", %d, \"%s\", 0, %s, []]", path, line(name), written, targets(call));
    }

    private String targets(KtElement call) {
        ResolvedCall<? extends CallableDescriptor> found = CallUtilKt.getResolvedCall(call, known);
        if (found == null) {
            return "\"unknown\"";
        }
        Set<String> places = new TreeSet<>();
        for (DeclarationDescriptor each :
                DescriptorToSourceUtils.getEffectiveReferencedDescriptors(found.getResultingDescriptor())) {
            places.addAll(places(DescriptorToSourceUtils.getSourceFromDescriptor(each)));
            if (each instanceof ConstructorDescriptor made) {
                places.addAll(places(DescriptorToSourceUtils.getSourceFromDescriptor(made.getConstructedClass())));
            }
        }
        return places.isEmpty() ? "\"external\"" : "[" + String.join(", ", places) + "]";
    }

    private List<String> places(PsiElement at) {
        PsiFile file = at == null ? null : at.getContainingFile();
        if (file == null || file.getVirtualFile() == null) {
            return List.of();
        }
        Path found = Path.of(file.getVirtualFile().getPath());
        PsiElement name = at instanceof PsiNameIdentifierOwner named && named.getNameIdentifier() != null
                ? named.getNameIdentifier() : at;
        return found.startsWith(root) ? List.of("[\"" + root.relativize(found) + "\", " + line(name) + "]") : List.of();
    }

    private static long line(PsiElement element) {
        String text = element.getContainingFile().getText();
        return text.substring(0, element.getTextOffset()).chars().filter(each -> each == '\n').count() + 1;
    }
}

import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Writes what javac says every call of a tree's Java files leads to; bench_typed_edges.py compares the resolver with it.
 *
 * <p>Run: java --add-exports jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED --add-exports
 * jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED JavaCalls.java ROOT OUTPUT.json [CLASSPATH]
 *
 * <p>The answer is a list of [path, line, name, number, targets]: the number counts equal names on one line from left to
 * right; targets are [path, line] of definitions inside ROOT, "external" for what stands elsewhere or in no file,
 * "unknown". What makes an object calls the constructor, and the class where it has none.
 */
public class JavaCalls extends TreePathScanner<Void, Void> {
    private record Site(long at, long line, String name, String targets) {}

    private final Path root;
    private final Trees trees;
    private final Map<String, List<Site>> sites = new TreeMap<>();
    private CompilationUnitTree file;
    private String text = "";

    private JavaCalls(Path root, Trees trees) {
        this.root = root;
        this.trees = trees;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toRealPath();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<Path> paths;
        try (Stream<Path> found = Files.walk(root)) {
            paths = found.filter(path -> path.toString().endsWith(".java") && Files.isRegularFile(path))
                    .filter(path -> !path.endsWith("module-info.java")).sorted().toList();
        }
        List<String> options = new ArrayList<>(List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1"));
        if (arguments.length > 2) {
            options.addAll(List.of("-classpath", arguments[2]));
        }
        JavacTask task = (JavacTask) compiler.getTask(
                new StringWriter(), files, problem -> {}, options, null, files.getJavaFileObjectsFromPaths(paths));
        JavaCalls calls = new JavaCalls(root, Trees.instance(task));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) {
            calls.file = unit;
            calls.text = unit.getSourceFile().getCharContent(true).toString();
            calls.scan(unit, null);
        }
        Files.writeString(Path.of(arguments[1]), calls.json());
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
        ExpressionTree select = node.getMethodSelect();
        long end = trees.getSourcePositions().getEndPosition(file, select);
        String name = select instanceof MemberSelectTree behind
                ? behind.getIdentifier().toString() : ((IdentifierTree) select).getName().toString();
        // A call of super() that nobody wrote has no text.
        if (end >= 0 && text.startsWith(name, (int) end - name.length())) {
            add(end - 1, name, trees.getElement(new TreePath(getCurrentPath(), select)));
        }
        return super.visitMethodInvocation(node, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree node, Void nothing) {
        long at = trees.getSourcePositions().getStartPosition(file, node.getIdentifier());
        if (text.startsWith("new", (int) trees.getSourcePositions().getStartPosition(file, node))
                || node.getEnclosingExpression() != null) {
            Element made = trees.getElement(getCurrentPath());
            if (node.getClassBody() != null) {
                made = trees.getElement(new TreePath(getCurrentPath(), node.getIdentifier()));
            }
            add(at, simple(node.getIdentifier()), made);
        }
        return super.visitNewClass(node, nothing);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
        boolean makes = node.getMode() == MemberReferenceTree.ReferenceMode.NEW;
        if (!makes || !(node.getQualifierExpression() instanceof ArrayTypeTree)) {
            String name = makes ? simple(node.getQualifierExpression()) : node.getName().toString();
            add(trees.getSourcePositions().getEndPosition(file, node) - 1, name, trees.getElement(getCurrentPath()));
        }
        return super.visitMemberReference(node, nothing);
    }

    private static String simple(Tree type) {
        if (type instanceof ParameterizedTypeTree of) {
            return simple(of.getType());
        }
        if (type instanceof AnnotatedTypeTree of) {
            return simple(of.getUnderlyingType());
        }
        return type instanceof MemberSelectTree of ? of.getIdentifier().toString() : type.toString();
    }

    private void add(long at, String name, Element found) {
        sites.computeIfAbsent(inside(file.getSourceFile().toUri()), path -> new ArrayList<>())
                .add(new Site(at, file.getLineMap().getLineNumber(at), name, targets(found)));
    }

    private String inside(URI place) {
        Path path = Path.of(place);
        return path.startsWith(root) ? root.relativize(path).toString() : "";
    }

    private String targets(Element found) {
        if (found == null || found.asType().getKind() == javax.lang.model.type.TypeKind.ERROR
                || !(found instanceof ExecutableElement || found instanceof TypeElement)) {
            return "\"unknown\"";
        }
        TreePath path = trees.getPath(found);
        if (path == null && found.getKind() == ElementKind.CONSTRUCTOR) {
            path = trees.getPath(found.getEnclosingElement());
        }
        if (path == null || ((Symbol) found).owner.kind.name().equals("ERR")) {
            return "\"external\"";
        }
        CompilationUnitTree unit = path.getCompilationUnit();
        long line = unit.getLineMap().getLineNumber(((JCTree) path.getLeaf()).pos);
        return "[[\"" + inside(unit.getSourceFile().toUri()) + "\", " + line + "]]";
    }

    private String json() {
        List<String> rows = new ArrayList<>();
        sites.forEach((path, all) -> {
            Map<String, Integer> seen = new HashMap<>();
            all.stream().sorted(Comparator.comparingLong(Site::at)).forEach(site -> {
                int number = seen.merge(site.name + " " + site.line, 1, Integer::sum) - 1;
                rows.add(String.format("[\"%s\", %d, \"%s\", %d, %s]", path, site.line, site.name, number, site.targets));
            });
        });
        return "[" + String.join(",\n", rows) + "]";
    }
}

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints the reads and writes of fields that javac leads into a folder: `java FieldUses.java FOLDER`.
 *
 * A row has, separated by tabs: read, write or unknown (javac resolves the name to nothing); file, line and name of the
 * use; file and line of the field; name and line of the innermost method with a name around it, of the class with a
 * name for code outside of methods. Libraries are missing, so that some names stay unknown.
 */
final class FieldUses extends TreePathScanner<Void, Void> {
    private final Path root;
    private final Trees trees;
    private final SourcePositions positions;
    private final PrintStream out;
    private CompilationUnitTree unit;
    private String text;

    private FieldUses(Path root, Trees trees, PrintStream out) {
        this.root = root;
        this.trees = trees;
        this.positions = trees.getSourcePositions();
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        List<Path> paths;
        try (Stream<Path> found = Files.walk(root)) {
            paths = found.filter(each -> each.toString().endsWith(".java") && Files.isRegularFile(each))
                .filter(each -> !each.endsWith("module-info.java")).sorted().collect(Collectors.toList());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<String> options =
            List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1", "-nowarn");
        JavacTask task = (JavacTask) compiler.getTask(
            Writer.nullWriter(), files, each -> { }, options, null, files.getJavaFileObjectsFromPaths(paths));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (CompilationUnitTree unit : units) {
            FieldUses uses = new FieldUses(root, Trees.instance(task), out);
            uses.unit = unit;
            uses.text = unit.getSourceFile().getCharContent(true).toString();
            uses.scan(unit, null);
        }
        out.flush();
    }

    @Override
    public Void visitImport(ImportTree node, Void nothing) {
        return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree node, Void nothing) {
        print(node.getName().toString(), positions.getStartPosition(unit, node));
        return super.visitIdentifier(node, nothing);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
        String name = node.getIdentifier().toString();
        print(name, positions.getEndPosition(unit, node) - name.length());
        return super.visitMemberSelect(node, nothing);
    }

    private void print(String name, long start) {
        if (start < 0 || !text.startsWith(name, (int) start) || name.equals("this") || name.equals("super")) {
            return; // what the compiler has added
        }
        Element element = trees.getElement(getCurrentPath());
        long line = unit.getLineMap().getLineNumber(start);
        if (element == null || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) {
            out.println(String.join("\t", "unknown", file(unit), "" + line, name));
            return;
        }
        boolean isField = element.getKind() == ElementKind.FIELD || element.getKind() == ElementKind.ENUM_CONSTANT;
        TreePath declared = isField ? trees.getPath(element) : null;
        if (declared == null) {
            return;
        }
        CompilationUnitTree other = declared.getCompilationUnit();
        long place = positions.getStartPosition(other, declared.getLeaf());
        out.println(String.join("\t", isWritten() ? "write" : "read", file(unit), "" + line, name,
            file(other), "" + other.getLineMap().getLineNumber(place), user()));
    }

    private String file(CompilationUnitTree of) {
        return root.relativize(Path.of(of.getSourceFile().toUri())).toString();
    }

    private boolean isWritten() {
        TreePath path = getCurrentPath();
        Tree part = path.getLeaf();
        path = path.getParentPath();
        while (path.getLeaf() instanceof ParenthesizedTree) {
            part = path.getLeaf();
            path = path.getParentPath();
        }
        Tree around = path.getLeaf();
        if (around instanceof AssignmentTree) {
            return ((AssignmentTree) around).getVariable() == part;
        }
        if (around instanceof CompoundAssignmentTree) {
            return ((CompoundAssignmentTree) around).getVariable() == part;
        }
        if (!(around instanceof UnaryTree)) {
            return false;
        }
        Tree.Kind kind = around.getKind();
        return kind == Tree.Kind.PREFIX_INCREMENT || kind == Tree.Kind.PREFIX_DECREMENT
            || kind == Tree.Kind.POSTFIX_INCREMENT || kind == Tree.Kind.POSTFIX_DECREMENT;
    }

    private String user() {
        for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
            Tree leaf = path.getLeaf();
            String name = leaf instanceof MethodTree ? ((MethodTree) leaf).getName().toString()
                : leaf instanceof ClassTree ? ((ClassTree) leaf).getSimpleName().toString() : "";
            if (!name.isEmpty()) {
                return name + "\t" + unit.getLineMap().getLineNumber(positions.getStartPosition(unit, leaf));
            }
        }
        return "\t0";
    }
}

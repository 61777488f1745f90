import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.TreeInfo;
import java.io.PrintStream;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

/**
 * Prints the methods of a tree of sources and the calls of them, as javac resolves them, a JSON object a line.
 *
 * <p>`def`: a method, a constructor or a component of a record: file, line, name, class. `call`: file and
 * line of the method around it, line, file and line of the method called. `unknown`: a call that javac can't resolve,
 * because a library is missing: file and line of the method around it, line, name. A call in a lambda is one of the
 * method around it; one in an initializer has no method around it, line 0. Usage: Calls.java ROOT CLASSPATH
 */
class Calls {
    static final Map<Symbol, String> DEFINITIONS = new HashMap<>();
    static Path root;
    static PrintStream out;

    public static void main(String[] arguments) throws Exception {
        root = Path.of(arguments[0]).toRealPath();
        out = new PrintStream(System.out, false, "UTF-8");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticListener<JavaFileObject> nobody = diagnostic -> {};
        List<String> options = List.of("-proc:none", "-implicit:none", "-nowarn", "-XDshould-stop.ifError=FLOW",
            "-cp", arguments[1]);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(nobody, null, null);
                Stream<Path> all = Files.walk(root)) {
            List<Path> sources = all.filter(Files::isRegularFile).filter(Calls::isSource).sorted().toList();
            JavacTask task = (JavacTask) compiler.getTask(null, files, nobody, options, null,
                files.getJavaFileObjectsFromPaths(sources));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : units) new Definitions(unit, trees).scan(unit, null);
            for (CompilationUnitTree unit : units) new Uses(unit, trees).scan(unit, null);
        }
        out.flush();
    }

    static boolean isSource(Path path) {
        String name = path.getFileName().toString();
        return name.endsWith(".java") && !name.equals("module-info.java") && !name.equals("package-info.java");
    }

    static String text(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static class Scanner extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Trees trees;
        final String file;

        Scanner(CompilationUnitTree unit, Trees trees) {
            this.unit = unit;
            this.trees = trees;
            this.file = text(root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/'));
        }

        long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }

        long line(Tree tree) {
            return line(trees.getSourcePositions().getStartPosition(unit, tree));
        }
    }

    static class Definitions extends Scanner {
        Definitions(CompilationUnitTree unit, Trees trees) {
            super(unit, trees);
        }

        void add(Symbol symbol, String name, Tree tree) {
            if (symbol == null || symbol.owner == null) return;
            String owner = symbol.owner.name.toString();
            DEFINITIONS.put(symbol, file + ",\"to_line\":" + line(tree));
            out.println("{\"row\":\"def\",\"file\":" + file + ",\"line\":" + line(tree) + ",\"name\":" + text(name)
                + ",\"class\":" + text(owner) + "}");
        }

        @Override public Void visitMethod(MethodTree tree, Void nothing) {
            JCTree.JCMethodDecl method = (JCTree.JCMethodDecl) tree;
            if (method.sym != null && (method.sym.flags() & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) == 0)
                add(method.sym, method.sym.isConstructor() ? "<init>" : method.name.toString(), tree);
            return super.visitMethod(tree, nothing);
        }

        @Override public Void visitVariable(VariableTree tree, Void nothing) {
            JCTree.JCVariableDecl variable = (JCTree.JCVariableDecl) tree;
            boolean isComponent = variable.sym != null && (variable.sym.flags() & Flags.GENERATED_MEMBER) != 0
                && variable.sym.owner instanceof Symbol.ClassSymbol owner && owner.isRecord();
            if (isComponent)
                for (Symbol each : variable.sym.owner.members().getSymbolsByName(variable.name))
                    if (each instanceof Symbol.MethodSymbol accessor && accessor.params().isEmpty()
                            && (accessor.flags() & Flags.GENERATED_MEMBER) != 0)
                        add(accessor, variable.name.toString(), tree);
            return super.visitVariable(tree, nothing);
        }
    }

    static class Uses extends Scanner {
        long around = 0;

        Uses(CompilationUnitTree unit, Trees trees) {
            super(unit, trees);
        }

        @Override public Void visitClass(ClassTree tree, Void nothing) {
            long outer = around;
            around = ((JCTree.JCClassDecl) tree).name.isEmpty() ? around : 0;
            super.visitClass(tree, nothing);
            around = outer;
            return null;
        }

        @Override public Void visitMethod(MethodTree tree, Void nothing) {
            JCTree.JCMethodDecl method = (JCTree.JCMethodDecl) tree;
            long outer = around;
            boolean isGenerated = method.sym != null && (method.sym.flags() & Flags.GENERATEDCONSTR) != 0;
            around = isGenerated ? around : line(tree);
            super.visitMethod(tree, nothing);
            around = outer;
            return null;
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
            JCTree.JCMethodInvocation call = (JCTree.JCMethodInvocation) tree;
            String name = TreeInfo.name(call.meth).toString();
            if (!name.equals("this") && !name.equals("super")) {
                boolean isSure = call.args.stream().noneMatch(each -> each.type == null || each.type.isErroneous());
                add(TreeInfo.symbol(call.meth), name, call.meth.pos, isSure);
            }
            return super.visitMethodInvocation(tree, nothing);
        }

        @Override public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            JCTree.JCMemberReference reference = (JCTree.JCMemberReference) tree;
            if (tree.getMode() == MemberReferenceTree.ReferenceMode.INVOKE)
                add(reference.sym, reference.name.toString(), reference.pos, true);
            return super.visitMemberReference(tree, nothing);
        }

        void add(Symbol symbol, String name, int position, boolean isSure) {
            Symbol declared = symbol instanceof Symbol.MethodSymbol method ? method.baseSymbol() : null;
            String head = "\"file\":" + file + ",\"around\":" + around + ",\"line\":" + line(position);
            boolean hasOverloads = declared != null && !isSure
                && StreamSupport.stream(((Symbol.ClassSymbol) declared.owner).members()
                    .getSymbolsByName(declared.name).spliterator(), false).count() > 1;
            if (declared == null || declared.type == null || declared.type.isErroneous() || hasOverloads)
                out.println("{\"row\":\"unknown\"," + head + ",\"name\":" + text(name) + "}");
            else if (DEFINITIONS.containsKey(declared))
                out.println("{\"row\":\"call\"," + head + ",\"name\":" + text(name)
                    + ",\"to\":" + DEFINITIONS.get(declared) + "}");
        }
    }
}

// Prints, as JSON lines, every declaration that TypeScript's own parser sees in the files below a directory:
//     node declarations.cjs TYPESCRIPT_DIR DIRECTORY
const fs = require("node:fs");
const path = require("node:path");
const ts = require(path.join(process.argv[2], "lib", "typescript.js"));
const root = process.argv[3];

const KINDS = new Map([
  [ts.SyntaxKind.FunctionDeclaration, "function"],
  [ts.SyntaxKind.ClassDeclaration, "class"],
  [ts.SyntaxKind.InterfaceDeclaration, "interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "type"],
  [ts.SyntaxKind.EnumDeclaration, "enum"],
  [ts.SyntaxKind.MethodDeclaration, "method"],
  [ts.SyntaxKind.Constructor, "constructor"],
]);
const BODIED = new Set(["function", "method", "constructor"]);

function visit(node, source, file, inObject) {
  const kind = KINDS.get(node.kind);
  const counted = kind && !(BODIED.has(kind) && !node.body) && !(kind === "method" && inObject);
  if (counted) {
    const name = kind === "constructor" ? "constructor" : node.name ? node.name.getText(source) : "default";
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    console.log(JSON.stringify({ file, kind, name, line }));
  }
  ts.forEachChild(node, (child) => visit(child, source, file, ts.isObjectLiteralExpression(node)));
}

for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name)) continue;
  const full = path.join(entry.parentPath ?? entry.path, entry.name);
  const source = ts.createSourceFile(full, fs.readFileSync(full, "utf8"), ts.ScriptTarget.Latest, true);
  visit(source, source, path.relative(root, full), false);
}

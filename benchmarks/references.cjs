// All references to declarations, by TypeScript's own language service: `node references.cjs ROOT TYPESCRIPT < [{file, line, name}]`.
// Prints for each, as a line of JSON, [{file, line, kind}]: kind is import, call or name; declarations are left out.

"use strict";
const fs = require("node:fs");
const path = require("node:path");

const [root, typescript] = process.argv.slice(2);
const ts = require(typescript);
const asked = JSON.parse(fs.readFileSync(0, "utf8"));

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && entry.name !== ".git") yield* walk(full);
    } else if (/(?<!\.d)\.[cm]?[jt]sx?$/.test(entry.name)) yield full;
  }
}

const files = [...walk(root)].sort();
const config = path.join(root, "tsconfig.json");
const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config ?? {}, { ...ts.sys, readDirectory: () => [] }, root, {}, config);
const options = { ...parsed.options, noEmit: true, allowJs: true, skipLibCheck: true };
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => (fs.existsSync(file) ? ts.ScriptSnapshot.fromString(fs.readFileSync(file, "utf8")) : undefined),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: (some) => ts.getDefaultLibFilePath(some),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});
const program = service.getProgram();

function nodeAt(file, position) {
  let here = program.getSourceFile(file);
  for (;;) {
    let inside = null;
    ts.forEachChild(here, (child) => {
      if (child.pos <= position && position < child.end) inside = child;
    });
    if (inside === null) return here;
    here = inside;
  }
}

function kindOf(node) {
  const parent = node.parent;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return "import";
  const callee = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node;
  if ((ts.isCallExpression(callee.parent) || ts.isNewExpression(callee.parent)) && callee.parent.expression === callee) return "call";
  if (ts.isJsxOpeningLikeElement(callee.parent)) return "call";
  return "name";
}

for (const { file, line, name } of asked) {
  const full = path.join(root, file);
  const source = program.getSourceFile(full);
  if (source === undefined) {  // a `.d.ts` that no file reads
    console.log("[]");
    continue;
  }
  const text = source.text;
  const start = source.getPositionOfLineAndCharacter(line - 1, 0);
  const found = new RegExp(`(?<![\\w$])${name.replace(/[$#]/g, "\\$&")}(?![\\w$])`, "g");
  found.lastIndex = start;
  const position = found.exec(text).index;
  const rows = (service.findReferences(full, position) ?? []).flatMap((group) => group.references);
  console.log(
    JSON.stringify(
      rows
        .filter((row) => !row.isDefinition)
        .map((row) => ({
          file: path.relative(root, row.fileName),
          line: program.getSourceFile(row.fileName).getLineAndCharacterOfPosition(row.textSpan.start).line + 1,
          kind: kindOf(nodeAt(row.fileName, row.textSpan.start)),
        })),
    ),
  );
}

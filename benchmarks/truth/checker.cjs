// What TypeScript's own checker says of a project: `node checker.cjs ROOT OUT TYPESCRIPT [FOLDER-LEFT-OUT…]`.
//
// Writes OUT.{calls,defs,fields,imports}.jsonl: every call, `new`, tagged template and JSX use whose callee is declared inside the project, every
// named function and class, every use of a property, field or enum member that isn't called, every import. Paths are relative to ROOT, lines from 1, columns from 0.

"use strict";
const fs = require("node:fs");
const path = require("node:path");

const [root, out, typescript, ...leftOut] = process.argv.slice(2);
const ts = require(typescript);
const K = ts.SyntaxKind;

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const NEVER = new Set(["node_modules", ".git", ...leftOut]);

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!NEVER.has(entry.name)) yield* walk(full);
    } else if (entry.isFile() && SOURCE.test(entry.name)) yield full;
  }
}

const relative = (file) => path.relative(root, file).split(path.sep).join("/");
const lineOf = (file, position) => file.getLineAndCharacterOfPosition(position).line + 1;

// ---- programs: the files of the nearest tsconfig.json or jsconfig.json are checked together -----------------------------------------

const DEFAULTS = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.Preserve,
  strict: true,
  allowImportingTsExtensions: true,
};
const ALWAYS = {
  noEmit: true,
  allowJs: true,
  checkJs: false,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  resolveJsonModule: true,
  maxNodeModuleJsDepth: 0,
};

const nearest = new Map();
function configOf(folder) {
  if (!nearest.has(folder)) {
    const own = ["tsconfig.json", "jsconfig.json"].map((name) => path.join(folder, name)).find((name) => fs.existsSync(name));
    nearest.set(folder, own ?? (folder === root ? null : configOf(path.dirname(folder))));
  }
  return nearest.get(folder);
}

function optionsOf(config) {
  if (config === null) return { ...DEFAULTS, ...ALWAYS };
  const read = ts.readConfigFile(config, ts.sys.readFile);
  const host = { ...ts.sys, readDirectory: () => [] };
  const parsed = ts.parseJsonConfigFileContent(read.config ?? {}, host, path.dirname(config), {}, config);
  const options = { ...parsed.options, ...ALWAYS };
  for (const name of ["tsBuildInfoFile", "emitDeclarationOnly", "declarationMap", "rootDir", "outDir", "isolatedDeclarations", "traceResolution", "listFiles"]) delete options[name];
  return options;
}

const byConfig = new Map();
const mine = new Set();
for (const file of [...walk(root)].sort()) {
  mine.add(file);
  const config = configOf(path.dirname(file));
  if (!byConfig.has(config)) byConfig.set(config, []);
  byConfig.get(config).push(file);
}

// JavaScript is asked about itself, also where declarations of its types stand beside it.
const besideSource = (file) => /\.d\.([cm]?)ts$/.test(file) && mine.has(path.normalize(file).replace(/\.d\.([cm]?)ts$/, ".$1js"));
const sources = { ...ts.sys, fileExists: (file) => ts.sys.fileExists(file) && !besideSource(file) };

// ---- declarations ------------------------------------------------------------------------------------------------------------------

const isFunction = (node) =>
  ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node);

// A computed name is named as it is written: `[Symbol.iterator]`, `[kRun]`.
const textOf = (name) => (ts.isComputedPropertyName(name) && !ts.isStringLiteralLike(name.expression) ? name.getText() : ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : null);

// `x.y = …`, `exports.y = …` and `module.exports = …` name what stands on their right, in JavaScript above all.
function assignedName(target) {
  if (ts.isIdentifier(target)) return target.text;
  if (ts.isPropertyAccessExpression(target)) return target.name.text;
  if (ts.isElementAccessExpression(target) && ts.isStringLiteralLike(target.argumentExpression)) return target.argumentExpression.text;
  return null;
}

const COMPONENTS = new Set(["memo", "forwardRef", "lazy"]);
const WRAPS = new Set([K.ParenthesizedExpression, K.AsExpression, K.SatisfiesExpression, K.NonNullExpression, K.TypeAssertionExpression]);

// What holds a value: its parent but for brackets and casts; a variable holds what is handed to the call that makes it, too: `const name = wrap(() => …)`.
// Calls that make components count however many there are: `memo(forwardRef(() => …))`.
function holderOf(node) {
  const direct = outside(node.parent);
  if (!ts.isCallExpression(direct) || !direct.arguments.includes(node)) return direct;
  let call = direct, made = outside(call.parent);
  while (ts.isCallExpression(made) && made.arguments[0] === call && COMPONENTS.has(nameIn(made.expression)?.text)) [call, made] = [made, outside(made.parent)];
  return ts.isVariableDeclaration(made) || ts.isExportAssignment(made) ? made : direct;
}

function outside(node) {
  while (WRAPS.has(node.kind)) node = node.parent;
  return node;
}

// [the name that a function or class goes by, the node whose line it has], or null: its own name, or that of the variable, property or
// assignment that holds it.
function named(node) {
  if (ts.isConstructorDeclaration(node)) return ["constructor", node];
  if (node.name && !(ts.isFunctionExpression(node) && ts.isCallExpression(outside(node.parent)))) return pair(textOf(node.name), node);
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return ["default", node];
  const holder = holderOf(node);
  if ((ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name)) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder)) return pair(textOf(holder.name), holder);
  if (ts.isBinaryExpression(holder) && holder.operatorToken.kind === K.EqualsToken) return pair(assignedName(holder.left), holder);
  if (ts.isExportAssignment(holder) && !node.name) return ["default", holder];
  return node.name ? pair(textOf(node.name), node) : null;
}

const pair = (name, node) => (name === null ? null : [name, node]);

// The innermost function that has a name, or class whose field or static block the code belongs to; else the file's top level.
function callerOf(node, file) {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isPropertyDeclaration(at) || ts.isClassStaticBlockDeclaration(at)) {
      const name = named(at.parent);
      if (name !== null) return [name[0], lineOf(file, name[1].getStart(file))];
    }
    if (!isFunction(at)) continue;
    const name = named(at);
    if (name !== null) return [name[0], lineOf(file, name[1].getStart(file))];
  }
  return ["<module>", 0];
}

// ---- uses --------------------------------------------------------------------------------------------------------------------------

function bare(expression) {
  while (ts.isParenthesizedExpression(expression) || ts.isNonNullExpression(expression) || ts.isAsExpression(expression) ||
         ts.isSatisfiesExpression(expression) || ts.isTypeAssertionExpression(expression)) expression = expression.expression;
  return expression;
}

function nameIn(expression) {
  if (ts.isIdentifier(expression) || expression.kind === K.SuperKeyword) return expression;
  if (ts.isPropertyAccessExpression(expression)) return expression.name;
  if (ts.isElementAccessExpression(expression) && ts.isStringLiteralLike(expression.argumentExpression)) return expression.argumentExpression;
  return null;
}

// [what is called, how], or null where the node is no use.
function useOf(node) {
  if (ts.isCallExpression(node)) return node.expression.kind === K.ImportKeyword ? null : [node.expression, "call"];
  if (ts.isNewExpression(node)) return [node.expression, "new"];
  if (ts.isTaggedTemplateExpression(node)) return [node.tag, "tag"];
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) return ts.isIdentifier(node.tagName) && /^[a-z]/.test(node.tagName.text) ? null : [node.tagName, "jsx"]; // no element of HTML
  return null;
}

// What `require("module")` gives can be called as it stands.
const required = (expression) => (ts.isCallExpression(expression) && ts.isIdentifier(expression.expression) && expression.expression.text === "require" ? expression : null);

// What the project declares: its sources, and declarations that are written by hand.
const isOwn = (file) => mine.has(path.normalize(file)) || (/\.d\.[cm]?ts$/.test(file) && !besideSource(file) && !relative(file).split("/").some((part) => part === ".." || NEVER.has(part)));

function symbolOf(checker, name) {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function declarationOf(checker, symbol) {
  if (!symbol) return null;
  const found = symbol.declarations?.find((declaration) => ts.isFunctionLike(declaration) && declaration.body) ?? symbol.valueDeclaration ?? symbol.declarations?.[0] ?? null;
  const cast = found && ts.isExportAssignment(found) && bare(found.expression); // `export default Cart as FC`
  return cast && ts.isIdentifier(cast) ? declarationOf(checker, symbolOf(checker, cast)) : found;
}

// `for (const visit of visits) visit()`: a variable that is no function of its own.
const kindOf = (declaration) => (ts.isVariableDeclaration(declaration) && ts.isForOfStatement(declaration.parent.parent) ? "LoopVariable" : K[declaration.kind]);

function declaredName(declaration) {
  const name = ts.getNameOfDeclaration(declaration);
  const text = name && textOf(name);
  if (text) return text;
  if (ts.isExportAssignment(declaration) || ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration)) return "default";
  const value = ts.isBinaryExpression(declaration) ? bare(declaration.right) : declaration; // `module.exports = function …`
  return isFunction(value) || ts.isClassLike(value) ? named(value)?.[0] : null;
}

function call(checker, file, node) {
  const use = useOf(node);
  if (use === null) return null;
  const expression = bare(use[0]);
  const name = nameIn(expression) ?? required(expression);
  const symbol = name && (name === expression && ts.isCallExpression(name) ? null : symbolOf(checker, name));
  const declaration = symbol ? declarationOf(checker, symbol) : name && ts.isCallExpression(name) ? checker.getResolvedSignature(node)?.declaration : null;
  if (!declaration) return null;
  const where = declaration.getSourceFile();
  if (!isOwn(where.fileName)) return null;
  const callee = declaredName(declaration);
  if (!callee) return null;
  const [caller_name, caller_line] = callerOf(node, file);
  const site = file.getLineAndCharacterOfPosition(name.getStart(file));
  return {
    caller_file: relative(file.fileName), caller_name, caller_line,
    callee_file: relative(where.fileName), callee_name: callee, callee_line: lineOf(where, declaration.getStart(where)),
    also: (symbol?.declarations ?? []).filter((other) => other !== declaration && isOwn(other.getSourceFile().fileName))
      .map((other) => [relative(other.getSourceFile().fileName), declaredName(other)]).filter(([file, other]) => other && (file !== relative(where.fileName) || other !== callee)),
    kind: kindOf(declaration), site_line: site.line + 1, site_col: site.character, via: use[1], member: expression !== name,
  };
}

// ---- fields --------------------------------------------------------------------------------------------------------------------------

const FIELDS = new Set([K.PropertyDeclaration, K.PropertySignature, K.EnumMember, K.GetAccessor, K.SetAccessor, K.Parameter]);
// What declares a property: a class, an interface, an enum, a type with a name, or a type without one.
function holderKind(declaration) {
  const parent = declaration.parent;
  if (ts.isClassLike(parent) || ts.isConstructorDeclaration(parent)) return "class";
  if (ts.isInterfaceDeclaration(parent)) return "interface";
  if (ts.isEnumDeclaration(parent)) return "enum";
  if (ts.isTypeAliasDeclaration(parent.parent)) return "alias";
  let at = parent.parent;
  while (ts.isUnionTypeNode(at) || ts.isIntersectionTypeNode(at) || ts.isParenthesizedTypeNode(at)) at = at.parent;
  return ts.isTypeAliasDeclaration(at) ? "part" : "inline";
}

const isWritten = (node) => {
  const holder = outside(node.parent);
  if (ts.isBinaryExpression(holder)) return holder.left === node && holder.operatorToken.kind >= K.FirstAssignment && holder.operatorToken.kind <= K.LastAssignment;
  return (ts.isPrefixUnaryExpression(holder) || ts.isPostfixUnaryExpression(holder)) && [K.PlusPlusToken, K.MinusMinusToken].includes(holder.operator);
};

// [the name of a property, its symbol, whether it is written], or null where the node uses none. A member that is called is a call.
function accessed(checker, node) {
  if (ts.isPropertyAccessExpression(node)) {
    const whole = node.parent && WRAPS.has(node.parent.kind) ? outside(node) : node;
    const use = useOf(whole.parent);
    return use && use[0] === whole ? null : [node.name, checker.getSymbolAtLocation(node.name), isWritten(node)];
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
    const name = node.propertyName ?? node.name;
    return ts.isIdentifier(name) ? [name, checker.getTypeAtLocation(node.parent).getProperty(name.text), false] : null;
  }
  if ((ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && ts.isIdentifier(node.name) && ts.isObjectLiteralExpression(node.parent)) {
    const expected = checker.getContextualType(node.parent);
    return expected ? [node.name, checker.getNonNullableType(expected).getProperty(node.name.text), true] : null;
  }
  return null;
}

function field(checker, file, node) {
  const found = accessed(checker, node);
  const declared = (found?.[1]?.declarations ?? []).filter((one) => FIELDS.has(one.kind) && isOwn(one.getSourceFile().fileName));
  if (declared.length === 0) return null;
  return {
    file: relative(file.fileName), line: lineOf(file, found[0].getStart(file)), name: found[0].text, written: found[2],
    of: holderKind(declared[0]), declared: declared.map((one) => [relative(one.getSourceFile().fileName), lineOf(one.getSourceFile(), one.getStart())]),
  };
}

// ---- imports -----------------------------------------------------------------------------------------------------------------------

// [specifier, type only], or null where the node imports nothing.
function importIn(node) {
  if (ts.isImportDeclaration(node)) return [node.moduleSpecifier, node.importClause?.isTypeOnly ?? false];
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return [node.moduleSpecifier, node.isTypeOnly];
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) return [node.moduleReference.expression, node.isTypeOnly];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return [node.argument.literal, true];
  if (ts.isCallExpression(node) && node.arguments.length > 0) {
    if (node.expression.kind === K.ImportKeyword || (ts.isIdentifier(node.expression) && node.expression.text === "require")) return [node.arguments[0], false];
  }
  return null;
}

function imported(program, host, file, specifier) {
  const mode = ts.getModeForUsageLocation(file, specifier, program.getCompilerOptions());
  const resolved = ts.resolveModuleName(specifier.text, file.fileName, program.getCompilerOptions(), host.cache && sources, host.cache, undefined, mode);
  const target = resolved.resolvedModule && path.normalize(resolved.resolvedModule.resolvedFileName);
  return target && isOwn(target) ? relative(target) : null;
}

// ---- the files ---------------------------------------------------------------------------------------------------------------------

const written = Object.fromEntries(["calls", "defs", "fields", "imports"].map((kind) => [kind, fs.openSync(`${out}.${kind}.jsonl`, "w")]));
const counts = { files: 0, lines: 0, calls: 0, defs: 0, fields: 0, imports: 0 };
function write(kind, row) {
  fs.writeSync(written[kind], JSON.stringify(row) + "\n");
  counts[kind] += 1;
}

function file(program, host, source) {
  const checker = program.getTypeChecker();
  counts.files += 1;
  counts.lines += source.getLineStarts().length - 1;
  const visit = (node) => {
    if (isFunction(node) || ts.isClassLike(node)) {
      const name = named(node);
      if (name !== null && (ts.isClassLike(node) || node.body)) {
        const kind = ts.isClassLike(node) ? "Class" : K[node.kind];
        write("defs", { file: relative(source.fileName), name: name[0], line: lineOf(source, name[1].getStart(source)), kind });
      }
    }
    const found = call(checker, source, node);
    if (found !== null) write("calls", found);
    const used = field(checker, source, node);
    if (used !== null) write("fields", used);
    const specified = importIn(node);
    if (specified !== null && ts.isStringLiteralLike(specified[0])) {
      const [specifier, type_only] = specified;
      const to = imported(program, host, source, specifier);
      write("imports", { from: relative(source.fileName), spec: specifier.text, to, line: lineOf(source, node.getStart(source)), type_only });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

for (const [config, files] of byConfig) {
  const options = optionsOf(config);
  const compiler = ts.createCompilerHost(options, true);
  compiler.fileExists = sources.fileExists;
  const program = ts.createProgram(files, options, compiler);
  const host = { cache: ts.createModuleResolutionCache(root, (name) => name, options) };
  for (const name of files) {
    const source = program.getSourceFile(name);
    if (source) file(program, host, source);
  }
}
for (const descriptor of Object.values(written)) fs.closeSync(descriptor);
process.stdout.write(JSON.stringify({ ...counts, typescript: ts.version }) + "\n");

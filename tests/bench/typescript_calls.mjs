// Writes what TypeScript's checker says every call of some files leads to; bench_edges_ecmascript.py compares the
// resolver with it.
//
// Run: node typescript_calls.mjs FOLDER_WITH_NODE_MODULES ROOT OUTPUT.json < PATHS, one a line, relative to ROOT.
//
// The answer is a list of [path, line, name, what stands before the name, targets]. Targets are [path, line] of the
// names of definitions inside ROOT; else "external" for what is declared elsewhere, "local" for a parameter or local
// variable that holds nothing with a name, "unknown" for the rest: no type, or a type's property and no function.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";

const [installed, folder, output] = process.argv.slice(2);
const ts = createRequire(join(resolve(installed), "x.js"))("typescript");
const root = resolve(folder);
const paths = readFileSync(0, "utf8").split("\n").filter(Boolean);

function options() {
  const found = ts.sys.fileExists(join(root, "tsconfig.json"))
    ? ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config
    : {};
  const { paths: aliases, baseUrl } = found?.compilerOptions ?? {};
  return {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    experimentalDecorators: true,
    jsx: ts.JsxEmit.Preserve,
    types: [],
    ...(aliases && { paths: aliases, baseUrl: join(root, baseUrl ?? ".") }),
  };
}

const program = ts.createProgram(
  paths.map((path) => join(root, path)),
  options(),
);
const checker = program.getTypeChecker();

function bare(expression) {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    node = node.expression;
  return node;
}

function nameOf(callee) {
  const node = bare(callee);
  if (ts.isIdentifier(node)) return node;
  return ts.isPropertyAccessExpression(node) ? node.name : undefined;
}

function* callSites(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    if (node.expression.kind === ts.SyntaxKind.SuperKeyword) yield { call: node, callee: node.expression, name: node.expression };
    else yield { call: node, callee: node.expression, name: nameOf(node.expression) };
  } else if (ts.isTaggedTemplateExpression(node)) yield { call: node, callee: node.tag, name: nameOf(node.tag) };
  else if (ts.isDecorator(node) && !ts.isCallExpression(node.expression))
    yield { call: node, callee: node.expression, name: nameOf(node.expression) };
  else if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
    const tag = node.tagName;
    if (!ts.isIdentifier(tag) || /^[A-Z]/.test(tag.text)) yield { call: node, callee: tag, name: nameOf(tag) };
  }
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* callSites(child);
}

function place(node) {
  const file = node.getSourceFile();
  const path = relative(root, file.fileName);
  if (path.startsWith("..") || path.includes("node_modules")) return undefined;
  const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  return [path.split(sep).join("/"), line];
}

function real(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const isFunction = (node) => node && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node));

function initializerOf(declaration) {
  if (ts.isBinaryExpression(declaration)) return bare(declaration.right);
  if (ts.isPropertyAccessExpression(declaration) && ts.isBinaryExpression(declaration.parent))
    return bare(declaration.parent.right);
  if (ts.isExportAssignment(declaration)) return bare(declaration.expression);
  return declaration.initializer ? bare(declaration.initializer) : undefined;
}

/** Says whether a block is of a function that is called on the spot, or given to what is: all of a file may be in one. */
function isCalledOnTheSpot(block) {
  const made = ts.isBlock(block) && ts.isFunctionLike(block.parent) ? block.parent : undefined;
  if (!made || ts.isFunctionDeclaration(made) || ts.isMethodDeclaration(made)) return false;
  let node = made;
  while (ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const around = node.parent;
  if (ts.isPropertyAccessExpression(around)) return ts.isCallExpression(around.parent);
  return ts.isCallExpression(around) && (around.expression === node || ts.isFunctionLike(bare(around.expression)));
}

function isAtTop(declaration) {
  const statement = declaration.parent?.parent;
  const holder = statement?.parent;
  return (
    ts.isVariableDeclaration(declaration) &&
    holder !== undefined &&
    ts.isVariableStatement(statement) &&
    (ts.isSourceFile(holder) || ts.isModuleBlock(holder) || isCalledOnTheSpot(holder))
  );
}

const NAMED = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isGetAccessor(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isClassExpression(node);

/** Notes the functions that names declared elsewhere are given later: `let a; a = function () {}`. */
const given = new Map();
function noteGiven(node) {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && isFunction(bare(node.right))) {
    const name = nameOf(node.left);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) given.set(symbol, [...(given.get(symbol) ?? []), name]);
  }
  ts.forEachChild(node, noteGiven);
}

/** Adds the places a symbol stands for to `found`; says in a word what else it is. */
function follow(symbol, found, seen = new Set()) {
  let word = "unknown";
  if (!symbol || seen.has(symbol)) return word;
  seen.add(symbol);
  for (const name of given.get(symbol) ?? []) {
    const at = place(name);
    if (at) found.push(at);
  }
  for (const declaration of symbol.declarations ?? []) {
    const name = ts.getNameOfDeclaration(declaration) ?? declaration;
    const at = place(name);
    if (!at) {
      word = "external";
      continue;
    }
    const value = initializerOf(declaration);
    if (NAMED(declaration) || isFunction(value)) found.push(at);
    else if (isAtTop(declaration)) {
      found.push(at);
      if (value) followValue(value, found, seen);
    } else if (ts.isShorthandPropertyAssignment(declaration)) {
      const inner = checker.getShorthandAssignmentValueSymbol(declaration);
      if (inner) word = follow(real(inner), found, seen);
    } else if (value) {
      const before = found.length;
      const said = followValue(value, found, seen);
      if (found.length > before) found.push(at);
      else word = ts.isVariableDeclaration(declaration) || ts.isParameter(declaration) ? "local" : said;
    } else if (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) word = "local";
    else if (ts.isBindingElement(declaration)) {
      if (isAtTop(ts.walkUpBindingElementsAndPatterns(declaration))) found.push(at);
      word = followPattern(declaration, found, seen);
    }
  }
  return word;
}

/** Follows what another name is given: `const a = b.c`. */
function followValue(value, found, seen) {
  const inner = ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) ? nameOf(value) : undefined;
  if (!inner) return "unknown";
  const symbol = checker.getSymbolAtLocation(inner);
  return symbol ? follow(real(symbol), found, seen) : "unknown";
}

/** Follows `a.b` where `a` is annotated, and given an object literal that has a `b`. */
function followLiteral(callee, found) {
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return;
  const symbol = checker.getSymbolAtLocation(callee.expression);
  for (const declaration of (symbol && real(symbol).declarations) ?? []) {
    const value = ts.isVariableDeclaration(declaration) && declaration.initializer && bare(declaration.initializer);
    if (!value || !ts.isObjectLiteralExpression(value)) continue;
    for (const member of value.properties)
      if (member.symbol && member.name && member.name.getText() === callee.name.text) follow(member.symbol, found);
  }
}

/** Follows `const { a } = b`. */
function followPattern(element, found, seen) {
  const key = element.propertyName ?? element.name;
  const type = checker.getTypeAtLocation(element.parent);
  const property = ts.isIdentifier(key) ? checker.getPropertyOfType(type, key.text) : undefined;
  const before = found.length;
  if (property) follow(real(property), found, seen);
  return found.length > before ? "unknown" : "local";
}

/** Says whether an expression begins with a name imported from a package that is not there. */
function isFromOutside(expression) {
  let node = bare(expression);
  while (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isElementAccessExpression(node))
    node = bare(node.expression);
  if (!ts.isIdentifier(node)) return false;
  for (const declaration of checker.getSymbolAtLocation(node)?.declarations ?? []) {
    let statement = declaration;
    while (statement && !ts.isImportDeclaration(statement) && !ts.isVariableDeclaration(statement))
      statement = statement.parent;
    const specifier = statement && ts.isImportDeclaration(statement) ? statement.moduleSpecifier : required(statement);
    if (specifier && !specifier.text.startsWith(".") && !resolvedInside(specifier)) return true;
  }
  return false;
}

function required(declaration) {
  let value = declaration?.initializer;
  while (value && ts.isPropertyAccessExpression(value)) value = value.expression;
  const is = value && ts.isCallExpression(value) && ts.isIdentifier(value.expression) && value.expression.text === "require";
  return is && value.arguments[0] && ts.isStringLiteralLike(value.arguments[0]) ? value.arguments[0] : undefined;
}

function resolvedInside(specifier) {
  return checker.getSymbolAtLocation(specifier)?.declarations?.some((declaration) => place(declaration)) ?? false;
}

function signatureOf(call) {
  try {
    return checker.getResolvedSignature(call)?.declaration;
  } catch {
    return undefined;
  }
}

function targetsOf({ call, callee, name }) {
  const found = [];
  const declared = signatureOf(call);
  if (name.kind === ts.SyntaxKind.SuperKeyword) {
    const at = declared && ts.isConstructorDeclaration(declared) ? place(declared) : undefined;
    return at ? [at] : declared && ts.isConstructorDeclaration(declared) ? "external" : "unknown";
  }
  const symbol = checker.getSymbolAtLocation(name);
  followLiteral(bare(callee), found);
  let word = symbol ? follow(real(symbol), found) : "unknown";
  if (!found.length && word !== "external" && declared && NAMED(declared)) {
    const at = place(ts.getNameOfDeclaration(declared) ?? declared);
    if (at && ts.getNameOfDeclaration(declared)) found.push(at);
  }
  if (found.length) return found;
  return word === "unknown" && isFromOutside(callee) ? "external" : word;
}

const rows = [];
for (const path of paths) {
  const file = program.getSourceFile(join(root, path));
  if (file) noteGiven(file);
}
for (const path of paths) {
  const file = program.getSourceFile(join(root, path));
  if (!file) continue;
  for (const site of callSites(file)) {
    if (!site.name) continue;
    const start = site.name.getStart(file);
    const isSuper = site.name.kind === ts.SyntaxKind.SuperKeyword;
    const before = file.text.slice(bare(site.callee).getStart(file), start).replace(/\s+/g, "").replace(/\.$/, "");
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const targets = targetsOf(site);
    const unique = typeof targets === "string" ? targets : [...new Map(targets.map((at) => [at.join(":"), at])).values()];
    rows.push([path, line, isSuper ? "constructor" : site.name.text, isSuper ? "super" : before.slice(0, 200), unique]);
  }
}
writeFileSync(output, JSON.stringify(rows));

// Every function of the files named on standard input, as ESLint's own rule and SonarJS's measure it: a JSON line each.
// usage: node peers_eslint.cjs NODE_MODULES_PARENT < paths

const fs = require("fs");
const { createRequire } = require("module");
const need = createRequire(process.argv[2] + "/");
const { Linter } = need("eslint");
const { builtinRules } = need("eslint/use-at-your-own-risk");
const sonar = need("eslint-plugin-sonarjs");
const parser = need("@typescript-eslint/parser");

const found = new Map();
let file = "";

// The rule as it is; what it reports is noted with the function that it was leaving.
function noted(rule, figure, value) {
  return {
    meta: { ...rule.meta, schema: false, defaultOptions: undefined },
    create(context) {
      let leaving = null;
      const own = Object.create(context, {
        report: {
          value: (problem) => {
            const initializer = problem.data && /^Class (field|static)/.test(problem.data.name || "");
            if (!initializer) note(problem.node || leaving, figure, value(problem));
          },
        },
      });
      const visitors = { ...rule.create(own) };
      const leave = visitors[":function:exit"];
      if (leave) visitors[":function:exit"] = (node) => { leaving = node; leave(node); };
      return visitors;
    },
  };
}

function note(node, figure, amount) {
  if (!/Function/.test(node.type)) return;
  const key = file + " " + node.range[0];
  // A method's function begins at its parameters.
  if (!found.has(key)) found.set(key, { file, start: node.range[0], end: node.range[1], line: node.loc.start.line });
  found.get(key)[figure] = amount;
}

const linter = new Linter();
const plugin = {
  rules: {
    cyclomatic: noted(builtinRules.get("complexity"), "cyclomatic", (problem) => problem.data.complexity),
    cognitive: noted(sonar.rules["cognitive-complexity"], "cognitive", (problem) => amount(problem)),
  },
};

function amount(problem) {
  const data = problem.data && problem.data.complexityAmount;
  return data !== undefined ? data : Number(/from (\d+) to/.exec(JSON.stringify(problem))[1]);
}

for (file of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const messages = linter.verify(fs.readFileSync(file, "utf8"), [
    {
      files: ["**/*.{ts,tsx,js,jsx,mts,cts,mjs,cjs}"],
      linterOptions: { noInlineConfig: true },
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: file.endsWith("x") } } },
      plugins: { noted: plugin },
      rules: { "noted/cyclomatic": ["error", -1], "noted/cognitive": ["error", -1] },
    },
  ], { filename: "a" + file.slice(file.lastIndexOf(".")) });
  for (const message of messages) if (message.fatal || /rule|error/i.test(message.message)) console.error(file, message.message);
}
for (const row of found.values()) console.log(JSON.stringify(row));

/** Cases of edits to different forms of modules and imports, with the answer of the project after each one. */
import { type Case, main } from "./patch-modules.ts"

const tsconfig = (options: object) => JSON.stringify({ compilerOptions: options })

export const formCases: Readonly<Record<string, Case>> = {
  "exports of every form keep their names": {
    files: {
      "main.ts": main("1", 'import plain, * as all from "./all.ts"\nimport { x as y, C, type T } from "./all.ts"'),
      "all.ts":
        'export default class {}\nexport class C { static own = "own" }\nexport enum E { A = 1 }\nconst x = 1\nexport { x }\nexport function f() {}\nexport const g = () => {}\nexport type T = string',
    },
    edits: [
      [
        {
          "main.ts": main(
            "[plain.name, y, C.name, C.own, Object.keys(all).sort(), all.E[1], all.f.name, all.g.name]",
            'import plain, * as all from "./all.ts"\nimport { x as y, C, type T } from "./all.ts"',
          ),
        },
        ["default", 1, "C", "own", ["C", "E", "default", "f", "g", "x"], "A", "f", "g"],
        // Nothing used the module before, so it was not imported.
        [],
      ],
      [
        {
          "all.ts":
            'export default class {}\nexport class C { static own = "new" }\nexport enum E { B = 1 }\nconst x = 2\nexport { x }\nexport function f() {}\nexport const g = () => {}',
        },
        ["default", 2, "C", "new", ["C", "E", "default", "f", "g", "x"], "B", "f", "g"],
        ["all.ts", "main.ts"],
      ],
    ],
  },
  "an export whose name is a string works": {
    files: {
      "main.ts": main("a", 'import { "a b" as a } from "./a.ts"'),
      "a.ts": 'const a = 1\nexport { a as "a b" }',
    },
    edits: [[{ "main.ts": main("a + 1", 'import { "a b" as a } from "./a.ts"') }, 2, ["main.ts"]]],
  },
  "text that looks like an import is not changed": {
    files: { "main.ts": main("a", 'import { a } from "./a.ts"'), "a.ts": "export const a = 1" },
    edits: [
      [
        {
          "main.ts": main(
            'text + "1".repeat(a)',
            'import { a } from "./a.ts"\nconst text = `\nimport { b } from "./a.ts";\nvar b = __toESM(require("./a.ts"), 1);\n`',
          ),
        },
        '\nimport { b } from "./a.ts";\nvar b = __toESM(require("./a.ts"), 1);\n1',
        ["main.ts"],
      ],
    ],
  },
  "text that contains import.meta is not changed": {
    files: { "main.ts": main("[import.meta.filename.length > 1]") },
    edits: [
      [
        {
          "main.ts": main(
            '["import.meta.url", `${import.meta.filename.length > 1} import.meta.url`, /import.meta.url/.source]',
          ),
        },
        ["import.meta.url", "true import.meta.url", "import.meta.url"],
        ["main.ts"],
      ],
    ],
  },
  "import.meta has the values of the module": {
    files: {
      "main.ts": main("1"),
      "deep/a.ts":
        'import { basename } from "node:path"\nexport const a = () => [basename(import.meta.filename), basename(import.meta.dirname), import.meta.url.slice(-10)]',
    },
    edits: [
      [{ "main.ts": main("a()", 'import { a } from "./deep/a.ts"') }, ["a.ts", "deep", "/deep/a.ts"], []],
      [
        {
          "deep/a.ts":
            'import { basename } from "node:path"\nexport const a = () => [basename(import.meta.filename), 1, import.meta.url.slice(-10), "import.meta.url"]',
        },
        ["a.ts", 1, "/deep/a.ts", "import.meta.url"],
        ["deep/a.ts", "main.ts"],
      ],
      [{ "deep/a.ts": "export const a = () => typeof import.meta.resolve" }, "function", []],
    ],
  },
  JSON: {
    files: {
      "main.ts": main("[data, list, a]", 'import data, { a } from "./data.json"\nimport list from "./list.json"'),
      "data.json": '{ "a": 1, "default": 2, "__proto__": 3 }',
      "list.json": "[1]",
    },
    edits: [
      [
        {
          "main.ts": main("[list, data, a]", 'import data, { a } from "./data.json"\nimport list from "./list.json"'),
        },
        [[1], JSON.parse('{ "a": 1, "default": 2, "__proto__": 3 }'), 1],
        ["main.ts"],
      ],
      [{ "list.json": "[2]" }, [[2], JSON.parse('{ "a": 1, "default": 2, "__proto__": 3 }'), 1], []],
    ],
  },
  "JSON that is imported with a type works": {
    files: {
      "main.ts": main("data", 'import data from "./data.json" with { type: "json" }'),
      "data.json": "[1]",
    },
    edits: [[{ "main.ts": main("data[0]", 'import data from "./data.json" with { type: "json" }') }, 1, []]],
  },
  "CommonJS files can be patched": {
    files: {
      "main.ts": main("[old, named]", 'import old, { named } from "./old.cjs"'),
      "old.cjs": "exports.named = 1\nexports.self = this === exports\nexports.required = require('node:path').sep",
    },
    edits: [
      [
        { "main.ts": main("[named, old]", 'import old, { named } from "./old.cjs"') },
        [1, { named: 1, self: true, required: "/" }],
        [],
      ],
      [{ "old.cjs": "module.exports = { named: 2 }" }, [2, { named: 2 }], []],
    ],
  },
  "a patch runs in strict mode, without __filename and __dirname, as an ES module does": {
    files: { "main.ts": main("1") },
    edits: [
      [{ "main.ts": main("(function (this: unknown) { return this })() === undefined") }, true, ["main.ts"]],
      [{ "main.ts": main("[typeof __filename, typeof __dirname]") }, ["undefined", "undefined"], []],
    ],
  },
  "a CommonJS module has its own variables": {
    files: { "main.ts": main("1", "export {}") },
    edits: [
      [
        { "main.ts": main('[typeof module, typeof exports, typeof require, require("node:path").sep]') },
        ["undefined", "undefined", "function", "/"],
        [],
      ],
      [
        {
          "main.ts": main(
            "[module, exports, self]",
            "const module = 1\nconst exports = 2\nconst self = this as unknown",
          ),
        },
        [1, 2, undefined],
        [],
      ],
      [{ "main.ts": main("module", "const module = 3") }, 3, ["main.ts"]],
    ],
  },
  "packages work in every form of import": {
    files: {
      "main.ts": main(
        "1",
        'import kit, { a, twice } from "kit"\nimport * as all from "kit"\nimport path, { sep } from "node:path"\nimport old from "old"\nconsole.assert(kit, a, twice, all, path, sep, old)',
      ),
      "node_modules/kit/package.json": '{ "name": "kit", "type": "module", "exports": "./kit.js" }',
      "node_modules/kit/kit.js":
        "export let a = 1\nexport const twice = () => { a *= 2 }\nexport default { kit: true }",
      "node_modules/old/package.json": '{ "name": "old", "main": "old.js" }',
      "node_modules/old/old.js": "exports.__esModule = true\nexports.default = 'inner'",
    },
    edits: [
      [
        {
          "main.ts": main(
            "[kit, a, Object.keys(all).sort(), path.sep === sep, old]",
            'import kit, { a, twice } from "kit"\nimport * as all from "kit"\nimport path, { sep } from "node:path"\nimport old from "old"\nconsole.assert(twice)',
          ),
        },
        [{ kit: true }, 1, ["a", "default", "twice"], true, { __esModule: true, default: "inner" }],
        ["main.ts"],
      ],
    ],
  },
  "the options of tsconfig.json and of the files that it extends apply": {
    files: {
      "base.json": tsconfig({
        experimentalDecorators: true,
        useDefineForClassFields: false,
        paths: { "@/*": ["./lib/*"] },
      }),
      "tsconfig.json": '{ "extends": "./base.json" } // a comment',
      "main.ts": main("[log, new A().x]", 'import { log, note } from "@/note"\n@note class A { x = 1 }'),
      "lib/note.ts":
        "export const log: string[] = []\nexport const note = (target: { name: string }) => { log.push(target.name) }",
    },
    edits: [
      [
        {
          "main.ts": main("[log, new B().x]", 'import { log, note } from "@/note"\n@note class B { x = 2 }'),
        },
        [["B"], 2],
        ["main.ts"],
      ],
    ],
  },
  JSX: {
    files: {
      "tsconfig.json": tsconfig({ jsx: "react", jsxFactory: "h" }),
      "main.ts": main("view()", 'import { view } from "./view.tsx"'),
      "view.tsx": 'const h = (...all: unknown[]) => all\nexport const view = () => <b title="x">one</b>',
    },
    edits: [
      [
        {
          "view.tsx": 'const h = (...all: unknown[]) => all\nexport const view = () => <b title="x">two</b>',
        },
        ["b", { title: "x" }, "two"],
        ["main.ts", "view.tsx"],
      ],
    ],
  },
  "a first line for the shell is ignored": {
    files: { "main.ts": `#!/usr/bin/env node\n${main("1")}` },
    edits: [[{ "main.ts": `#!/usr/bin/env node\n${main("2")}` }, 2, ["main.ts"]]],
  },
  "a module that esbuild warns about is bundled, not patched": {
    files: { "main.ts": main("1") },
    edits: [
      [{ "main.ts": main("{ a: 1, a: 2 }") }, { a: 2 }, []],
      [{ "main.ts": main("3") }, 3, []],
      [{ "main.ts": main("4") }, 4, ["main.ts"]],
    ],
  },
}

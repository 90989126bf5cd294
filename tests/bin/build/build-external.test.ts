/**
 * Tests of packages that `fw build` leaves outside of the bundle, of optional packages, and of warnings about what
 * a package loads.
 */
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { readHints } from "../../../bin/build/hints.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

type Files = Readonly<Record<string, string>>

/** Returns the files of a package in `node_modules`. */
function pack(name: string, files: Files, manifest: object = {}): Files {
  const all = { "package.json": JSON.stringify({ name, version: "1.0.0", ...manifest }), ...files }
  return Object.fromEntries(Object.entries(all).map(([file, text]) => [`node_modules/${name}/${file}`, text]))
}

const route = (imports: string, value: string): Files => ({
  "app/route.ts": `${imports}\nexport const Get = async (c) => c.json(200, ${value})\n`,
})
const manifest = (settings: object): Files => ({
  "package.json": JSON.stringify({ type: "module", fw: settings }),
})

/** Builds an app. Returns the output directory, which has no packages next to it, and the warnings. */
async function built(files: Files, args: readonly string[] = []): Promise<{ place: string; said: string }> {
  const cwd = makeProject(files)
  const { code, stdout, stderr } = await fw(["build", "--target", "app", ...args], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const place = join(realpathSync(project({})), "app")
  cpSync(join(cwd, "dist/app"), place, { recursive: true })
  return { place, said: stderr }
}

/** Returns the answers of an app's routes. */
async function fetchAnswers(place: string, paths: readonly string[]): Promise<unknown[]> {
  const { default: app } = await import(pathToFileURL(join(place, "app.mjs")).href)
  return Promise.all(
    paths.map(async (path) => {
      const answer: Response = await app.fetch(new Request(`http://localhost${path}`))
      return answer.json()
    }),
  )
}

const picks = pack("picks", { "index.js": "module.exports = (name) => require(name)\n" })
const driver = pack("driver-a", { "index.js": 'module.exports = { kind: "a" }\n' })

const picked = { ...picks, ...driver, ...route('import pick from "picks"', 'pick("driver-a")') }

/** Files of packages, the imports and the value of a route's source, and what the route answers. */
type Case = readonly [what: string, files: Files, imports: string, value: string, answer: unknown]

/** Cases whose packages stay outside of the bundle. */
const kept: readonly Case[] = [
  [
    "a package with the packages that it can use",
    {
      ...pack(
        "picks",
        { "index.js": "module.exports = (name) => require(name)\n" },
        { peerDependenciesMeta: { "driver-a": { optional: true }, tool: { optional: true } } },
      ),
      ...driver,
      ...pack("tool", { "index.js": "" }),
      ...pack("@types/node", { "sea.d.ts": "export {}" }),
    },
    'import pick from "picks"',
    '[pick("driver-a").kind, typeof (await import("picks")).default]',
    ["a", "function"],
  ],
  [
    "one copy of a package that both the program and a package outside use",
    {
      ...pack("counter", { "index.js": "let count = 0\nexports.next = () => ++count\n" }),
      ...pack("counts", { "index.js": 'exports.next = require("counter").next\n' }, { dependencies: { counter: "1" } }),
    },
    'import { next } from "counter"\nimport counts from "counts"',
    "[next(), counts.next(), next()]",
    [1, 2, 3],
  ],
  [
    "another version that a bundled package has for itself is in the bundle",
    {
      ...pack("twice", { "index.js": "module.exports = require('path').basename(__dirname)" }),
      ...pack("inner", {
        "index.js": 'module.exports = require("twice")',
        "node_modules/twice/package.json": '{ "name": "twice", "version": "2.0.0" }',
        "node_modules/twice/index.js": 'module.exports = "two"',
      }),
    },
    'import one from "twice"\nimport two from "inner"',
    "[one, two]",
    ["twice", "two"],
  ],
  [
    "a package that reads its own files",
    pack(
      "reads",
      {
        "index.js": 'module.exports = require("fs").readFileSync(require("path").join(__dirname, "notes.md"), "utf8")',
        "notes.md": "notes",
        "index.d.ts": "export {}",
        "types/of/index.d.ts": "export {}",
        "types/of/index.d.ts.map": "{}",
        "lib/data.json": "{}",
        "lib/es5.d.ts": "interface Read {}",
      },
      { dependencies: { "@types/node": "*" } },
    ),
    'import text from "reads"',
    "text",
    "notes",
  ],
  [
    "parts of an ES module that are imported by their paths",
    pack(
      "modern",
      { "a.js": "export default import.meta.url.split('/').at(-2)", "b.js": "export const b = 2" },
      { type: "module", exports: { ".": "./a.js", "./b": "./b.js" } },
    ),
    'import a from "modern"\nimport { b } from "modern/b"',
    "[a, b]",
    ["modern", 2],
  ],
  ["a missing package that is optional too", {}, "", "await import('odbc').catch((e) => e.code)", "MODULE_NOT_FOUND"],
]

/** Cases in which a package is missing. */
const absent: readonly Case[] = [
  ["import() with catch()", {}, "", "await import('odbc1').catch((e) => e.code)", "ERR_MODULE_NOT_FOUND"],
  [
    "import() in try",
    {},
    "const load = async () => { try { return await import('odbc2') } catch { return 'none' } }",
    "await load()",
    "none",
  ],
  [
    "require() in try",
    pack("tries", {
      "index.js": "try { module.exports = require('odbc3') } catch (e) { module.exports = e.code }",
    }),
    'import tries from "tries"',
    "tries",
    "MODULE_NOT_FOUND",
  ],
  [
    "require() in a function, of an optional package",
    pack("later", { "index.js": "exports.load = () => require('odbc')(1)" }),
    'import { load } from "later"\nconst tried = () => { try { return load() } catch (e) { return e.code } }',
    "tried()",
    "MODULE_NOT_FOUND",
  ],
  [
    "an import of a part of an optional package, in a module that is imported later",
    { "lib/later.ts": 'import odbc, { pool } from "odbc/lib/x"\nexport default odbc(pool)\n' },
    "",
    'await import("../../lib/later.ts").catch((e) => e.code)',
    "MODULE_NOT_FOUND",
  ],
  ["an optional package that is installed", driver, 'import a from "driver-a"', "a.kind", "a"],
  [
    "require() of an optional peer, in a function",
    pack(
      "orm",
      {
        "dist/index.js": "exports.load = () => require('orm-peer/lib')",
        "dist/package.json": '{ "type": "commonjs" }',
      },
      {
        main: "dist/index.js",
        peerDependencies: { "orm-peer": "1" },
        peerDependenciesMeta: { "orm-peer": { optional: true } },
      },
    ),
    'import orm from "orm"\nconst ask = () => { try { return orm.load() } catch (e) { return e.code } }',
    "ask()",
    "MODULE_NOT_FOUND",
  ],
  [
    "require() of an optional dependency of the project, in a module that is imported later",
    { "lib/odbc4.cjs": "module.exports = require('odbc4')" },
    "",
    'await import("../../lib/odbc4.cjs").catch((e) => e.code)',
    "MODULE_NOT_FOUND",
  ],
]

/** Returns the files of a project with a route for each case. */
function createProject(cases: readonly Case[], manifest: object): Files {
  const files = cases.map(([, files, imports, value], i) => ({
    ...files,
    [`app/${i}/route.ts`]: `${imports}\nexport const Get = async (c) => c.json(200, ${value})\n`,
  }))
  return Object.assign({ "package.json": JSON.stringify({ type: "module", ...manifest }) }, ...files)
}

for (const [what, cases, manifest, args, packages] of [
  [
    "packages outside of the bundle are copied next to it, and the program can use them",
    kept,
    { devDependencies: { tool: "1" }, fw: { external: ["picks", "counts", "odbc"], optional: ["odbc"] } },
    ["--external", "twice,reads", "--external", "modern"],
    ["counter", "counts", "driver-a", "modern", "picks", "reads", "twice"],
  ],
  [
    "a program works without the packages that may be missing",
    absent,
    { fw: { optional: ["odbc"] }, optionalDependencies: { odbc4: "1" } },
    ["--optional", "driver-a"],
    [],
  ],
] as const) {
  test(what, async () => {
    const { place } = await built(createProject(cases, manifest), args)
    const answers = await fetchAnswers(
      place,
      cases.map((_, i) => `/${i}`),
    )
    assert.equal(
      cases.map(([what], i) => [what, answers[i]]),
      cases.map(([what, , , , answer]) => [what, answer]),
    )
    const outside = join(place, "node_modules")
    assert.equal(existsSync(outside) ? readdirSync(outside).sort() : [], packages)
    // Types without their module may be what a package reads, but not those in a directory of types.
    const reads = join(outside, "reads")
    if (packages.length > 0)
      assert.equal(readdirSync(reads, { recursive: true }).map(String).sort(), [
        "index.js",
        "lib",
        "lib/data.json",
        "lib/es5.d.ts",
        "notes.md",
        "package.json",
      ])
  })
}

test("a package in the bundle can load an external package whose name is known only at run time", async () => {
  const { place, said } = await built({ ...picked }, ["--external", "driver-a"])
  assert.equal(await fetchAnswers(place, ["/"]), [{ kind: "a" }])
  assert.match(said, /picks loads a module by a name/)
})

const refused: ReadonlyArray<
  readonly [what: string, files: Files, args: readonly string[], code: string, message: RegExp, fix: RegExp]
> = [
  [
    "a missing package that has to stay outside",
    manifest({ external: ["driver-b"] }),
    [],
    "build_external",
    /^driver-b stays outside .* not installed$/,
    /npm install driver-b.*"optional"/,
  ],
  [
    "a package that has to stay outside of a worker",
    driver,
    ["--target", "workers", "--external", "driver-a"],
    "build_external",
    /^driver-a cannot stay outside .* a worker/,
    /--external driver-a to the builds for other targets/,
  ],
  [
    "a path instead of a package",
    {},
    ["--external", "./lib"],
    "invalid_value",
    /^--external cannot be "\.\/lib"$/,
    /names of packages/,
  ],
  [
    "a part of a package",
    {},
    ["--optional", "pg/lib"],
    "invalid_value",
    /^--optional cannot be "pg\/lib"$/,
    /names of packages/,
  ],
  [
    "fw as an external package",
    {},
    ["--external", "fw"],
    "invalid_value",
    /^--external cannot be "fw"$/,
    /fw is always in/,
  ],
  ["an unknown setting", manifest({ externals: ["pg"] }), [], "settings", /"externals"/, /external, optional/],
  [
    "a setting that is a text instead of a list",
    manifest({ external: "pg" }),
    [],
    "settings",
    /"external" .* not a list/,
    /"external": \["pg"/,
  ],
  ["a setting that names fw", manifest({ external: ["fw"] }), [], "settings", /"external"/, /fw itself/],
  [
    "a missing package that is not optional",
    route('import odbc from "odbc"', "odbc"),
    [],
    "bundle",
    /Could not resolve "odbc"/,
    /npm install odbc.*"optional": \["odbc"\]/,
  ],
  [
    "a package with a file that no module can be",
    {
      ...pack("@scope/tool", { "index.js": "exports.page = () => require('./page.html')", "page.html": "<p>" }),
      ...route('import tool from "@scope/tool"', "typeof tool"),
    },
    [],
    "bundle",
    /No loader is configured for "\.html" files: node_modules\/@scope\/tool\/page\.html/,
    /^Keep @scope\/tool outside of the bundle: "fw": \{ "external": \["@scope\/tool"\] \} in package\.json\.$/,
  ],
  [
    "an optional dependency that a module needs to be loaded",
    {
      ...manifest({}),
      ...route('import odbc from "odbc"', "odbc"),
      "package.json": '{ "type": "module", "optionalDependencies": { "odbc": "1" } }',
    },
    [],
    "bundle",
    /Could not resolve "odbc"/,
    /npm install odbc/,
  ],
]
for (const [what, files, args, code, message, fix] of refused) {
  test(`fw build refuses ${what}`, async () => {
    const cwd = makeProject({ ...route("", "1"), ...files })
    const target = args.includes("--target") ? [] : ["--target", "app"]
    const { stdout } = await fw(["build", "--json", ...target, ...args], { cwd, env: {} })
    const { error } = JSON.parse(stdout)
    assert.is(error.code, code)
    assert.match(error.message, message)
    assert.match(error.fix, fix)
  })
}

test("each package that loads modules by computed names is reported with its file and a fix", async () => {
  const noisy = pack("noisy", {
    "index.js": "exports.load = (n) => require(n)",
    "lib/b.js": "exports.b = (n) => import(n)",
  })
  const quiet = pack("quiet", { "index.js": "exports.a = (n) => require('./words/' + n)", "words/x.js": "" })
  const unused = pack(
    "unused",
    {
      "a.mjs": "export const a = 1\nexport { b } from './b.mjs'",
      "b.mjs": "export const b = (n) => import(n)",
    },
    { exports: "./a.mjs", sideEffects: false },
  )
  const imports =
    'import n from "noisy"\nimport b from "noisy/lib/b.js"\nimport q from "quiet"\nimport { a } from "unused"\nimport p from "picks"'
  const files = {
    ...picked,
    ...noisy,
    ...quiet,
    ...unused,
    ...route(imports, "[typeof n, typeof b, typeof q, a, typeof p]"),
  }
  const { said } = await built(files)
  const warned = [...said.matchAll(/warning: (\S+) loads .*\n {2}(\S+)/g)].map(([, ...found]) => found.join(" "))
  assert.equal(warned, ["noisy node_modules/noisy/index.js:1:23", "picks node_modules/picks/index.js:1:28"])
  assert.match(said, /"fw": \{ "external": \["picks"\] \} in package\.json, or --external picks/)
  const { said: outside } = await built(files, ["--external", "noisy,picks,driver-a"])
  assert.not.match(outside, /warning: \S+ loads/)
})

test("a large JSON file is parsed when it is loaded, and has the same values", async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `name ${i} "\u2028\\ \${é}`)
  const large = JSON.stringify({ names, __proto__x: 1, own: { ["__proto__"]: 2 } }).replace("__proto__x", "__proto__")
  const files = {
    ...pack("services", {
      "index.js": "exports.load = () => require('./large.json')",
      "large.json": large,
      "small.json": '{ "small": "is an object literal" }',
    }),
    ...route(
      'import { load } from "services"\nimport whole, { names } from "services/large.json"\nimport small from "services/small.json"\nimport text from "../large.json" with { type: "text" }',
      "[load().names.at(-1), Object.hasOwn(load(), '__proto__'), whole === load(), names.length, text.length, small]",
    ),
    "large.json": large,
  }
  const { place } = await built(files)
  assert.equal(await fetchAnswers(place, ["/"]), [
    [names.at(-1), true, true, 1000, large.length, { small: "is an object literal" }],
  ])
  const code = readFileSync(join(place, "app.mjs"), "utf8")
  assert.match(code, /JSON\.parse\([`'"]\{"names":\["name 0/)
  assert.not.match(code, /JSON\.parse\([`'"]\{"small"/)
})

const computed: ReadonlyArray<readonly [source: string, isComputed: boolean]> = [
  ["require(name)", true],
  ["require ( names[0] )", true],
  ["module.require(name)", true],
  ["import(name)", true],
  ['import("pkg-" + name)', true],
  [`require(\`pkg-\${name}\`)`, true],
  ["require(isNew ? name : 'b')", true],
  ["const load = createRequire(import.meta.url); load('pg')", true],
  ["const load = m.createRequire(import.meta.url); load(name)", true],
  ["const require = createRequire(import.meta.url); require('pg')", true],
  ["const require = createRequire(import.meta.url); require('node:fs'), require('path')", false],
  ["createRequire(import.meta.url)('../package.json')", true],
  ["m.createRequire(file).resolve(name)", true],
  ["const path = createRequire(file).resolve('path'); path('a')", false],
  ["createRequire(import.meta.url)('node:fs')", false],
  ["import { createRequire } from 'node:module'; createRequire(file)", false],
  ["require('a')", false],
  ["require(`a`)", false],
  ["require(isNew ? 'a' : 'b')", false],
  ["require(isNew ? 'a' : isOld ? 'b' : 'c')", false],
  ["require('./words/' + name)", false],
  [`import(\`../words/\${name}.js\`)`, false],
  ["this.require(name)", false],
  ["loader?.require(name)", false],
  ["function require(name) {}", false],
  ["a.import(name)", false],
  ["// require(name)\n'require(name)'", false],
  ["typeof require", false],
]
for (const [source, isComputed] of computed) {
  test(`${source} has ${isComputed ? "an import" : "no import"} with a computed name`, () => {
    assert.is(readHints(source, "a.js").computedImports.length > 0, isComputed)
  })
}

test.run()

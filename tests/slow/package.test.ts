/**
 * Tests of the packed package in an empty folder on the oldest Node: it installs one package without an install
 * script, every command runs, and so does the example of the README.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Group, isGroup } from "../../bin/cli/spec.ts"
import { listOwnFiles } from "../../bin/project/own-package.ts"
import { commands } from "../../bin/table.ts"
import { copyNewProject, listening, newUser, oldestNode } from "../support/bin/new/packed.ts"
import { startServer } from "../support/bin/openapi/language-server.ts"
import { compile, root } from "../support/tsc.ts"

const user = await newUser()
const { folder, packed, run, start } = user

/** Matches the files of the program, those that `fw new` and `fw generate` write, and the documentation. */
const belongs =
  /^(?:dist\/(?:bin|lib|template|adapters|chunks|vendor|explorer|editors)|vendor\/css|docs|scaffold\/(?:shared|full-stack|generate)|examples\/auth\/(?:app|db|lib|static\/auth))\/|^dist\/sbom\.cdx\.json$|^examples\/auth\/(?:package\.json|README\.md)$|^[^/]+$/

test("npm pack includes the needed files", async () => {
  const paths = packed.files.map(({ path }) => path)
  for (const path of [
    "package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "dist/bin/fw.js",
    "dist/lib/index.d.ts",
    "dist/vendor/urlpattern.js",
    "dist/adapters/workers.js",
    "dist/adapters/workers.d.ts",
    "vendor/css/package-lock.json",
    "docs/reference/app.md",
    "scaffold/shared/gitignore",
    "scaffold/full-stack/app/page.tpl",
    "scaffold/generate/middleware/auth.ts",
  ]) {
    assert.ok(paths.includes(path), `${path} is not in the package`)
  }
  const strangers = paths.filter((path) => path.endsWith(".tpl.ts") || !belongs.test(path))
  assert.equal(strangers, [])
})

test(`"Go to definition" leads to declarations with their comments`, async () => {
  const text = 'import { App, cors } from "fw"\nconst app = new App()\napp.get("/", (c) => c.json(200, cors))\n'
  writeFileSync(join(folder, "definitions.ts"), text)
  const uri = pathToFileURL(join(folder, "definitions.ts")).href
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const server = startServer(process.execPath, [compiler, "--lsp", "--stdio"], folder)
  try {
    await server.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
    })
    server.notify("initialized", {})
    server.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "typescript", version: 1, text },
    })
    for (const [name, file, declared] of [
      ["App()", "dist/lib/app.d.ts", /export declare class App /],
      ["get(", "dist/lib/group.d.ts", /get/],
      ["json(", "dist/lib/context.d.ts", /json/],
      ["cors)", "dist/lib/middleware/cors.d.ts", /export declare function cors/],
    ] as const) {
      const before = text.slice(0, text.indexOf(name)).split("\n")
      const position = { line: before.length - 1, character: (before.at(-1) as string).length + 1 }
      const found = (await server.request("textDocument/definition", {
        textDocument: { uri },
        position,
      })) as {
        uri: string
        range: { start: { line: number } }
      }[]
      const place = found[0]
      assert.is(place?.uri, pathToFileURL(join(folder, "node_modules/fw", file)).href)
      const lines = readFileSync(fileURLToPath(place?.uri as string), "utf8").split("\n")
      const line = place?.range.start.line ?? -1
      assert.match(lines[line] ?? "", declared)
      assert.match(lines[line - 1] ?? "", /\*\/$|[;{]$/)
    }
  } finally {
    await server.stop()
  }
})

test("package.json has the fields that the registry shows", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/fw/package.json"), "utf8"))
  for (const key of ["name", "version", "description", "keywords", "author", "license", "engines", "exports"]) {
    assert.ok(Object.keys(manifest[key] ?? {}).length > 0, key)
  }
  // Yarn 1 warns about "workspaces" in a package that is not private. The registry also has another package with
  // this name.
  assert.is(manifest.private, true)
})

test("fw packs the same files as npm, also once it is installed", async () => {
  const paths = packed.files.map(({ path }) => path).sort()
  assert.equal(
    (await listOwnFiles()).map(({ path }) => path),
    paths,
  )
  const installed = await listOwnFiles(join(folder, "node_modules/fw"))
  assert.equal(
    installed.map(({ path }) => path),
    paths,
  )
})

test("fw installs as one package without an install script", async () => {
  assert.equal(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["fw"],
  )
  const { scripts = {}, dependencies } = JSON.parse(readFileSync(join(folder, "node_modules/fw/package.json"), "utf8"))
  assert.equal(dependencies, {})
  for (const name of ["preinstall", "install", "postinstall"]) assert.not.ok(name in scripts)
  assert.ok(statSync(join(folder, "node_modules/.bin/fw")).mode & 0o100)
  const { stdout } = await run(["npx", "--no-install", "fw", "--version"])
  assert.match(stdout, /^fw \d+\.\d+\.\d+/)
  const node = await run([join(await oldestNode(), "node"), "--version"])
  assert.match(node.stdout, /^v20\.19\./)
})

const worker = `import { App } from "fw"
import { serve } from "fw/workers"

const app = new App()
app.get("/events/{id}", (c) => c.sse((events) => events.send({ data: c.param("id") })))
export default serve(app)
`

test("Node finds the modules of fw that a worker imports", async () => {
  writeFileSync(join(folder, "worker.mjs"), worker)
  await run(["node", "worker.mjs"])
})

test("the Quick start of the README runs the packed file, in a folder without a project", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const line = /^cd \.\. && (npx \S+) new shop$/m.exec(readme)?.[1]
  const cwd = mkdtempSync(join(tmpdir(), "packed-"))
  copyFileSync(join(folder, packed.filename), join(cwd, packed.filename))
  const { stdout } = await run(["sh", "-c", `${line} --version`], { cwd, env: { ...user.env, npm_config_yes: "true" } })
  assert.match(stdout, /^fw \d/)
})

for (const module of ["NodeNext", "ESNext"]) {
  const moduleResolution = module === "ESNext" ? "Bundler" : module
  test(`TypeScript finds a worker's imports with moduleResolution ${moduleResolution}`, async () => {
    const project = join(folder, moduleResolution)
    mkdirSync(project)
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023", "WebWorker"],
      types: [],
      module,
      moduleResolution,
      strict: true,
      // Without this option, TypeScript does not report a missing module in an import without names.
      noUncheckedSideEffectImports: true,
    }
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }))
    writeFileSync(join(project, "worker.ts"), worker)
    assert.equal(await compile(project), [])
    const wrong = worker.replace('param("id")', 'param("name")')
    writeFileSync(join(project, "worker.ts"), `import "fw/workers/none"\n${wrong}`)
    const found = await compile(project)
    assert.equal(
      found.map(({ code }) => code),
      ["TS2882", "TS2345"],
      "the errors are not those for a missing import and an unknown parameter",
    )
  })
}

/** A program that replaces the CSS compiler, and copies its input. */
const compiler = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require("node:fs")
const [input, output] = ["--input", "--output"].map((name) => process.argv[process.argv.indexOf(name) + 1])
if (process.argv.includes("--help")) console.log("≈ tailwindcss v4.0.0")
else writeFileSync(output, readFileSync(input))
console.error("Done in 1ms")
if (process.argv.includes("--watch")) process.stdin.resume().on("end", () => process.exit())
`

/**
 * A command line for every command, and a word that it prints. They run one after the other in a new project; null
 * stands for a command that runs until it is stopped.
 */
const lines: Readonly<Record<string, readonly [line: string, says: RegExp]>> = {
  routes: ["routes", /\/api\/health/],
  info: ["info", /shop/],
  validate: ["validate", /./],
  "generate route": ["generate route users/[id] --methods GET,PUT", /app\/api\/users\/\[id\]\/route\.ts/],
  "generate middleware": ["generate middleware timing --template timing", /middleware\.ts/],
  "generate proxy": ["generate proxy", /app\/proxy\.ts/],
  "generate page": ["generate page about", /app\/about\/page\.tpl/],
  "generate form": ["generate form contact", /app\/contact\/route\.ts/],
  "generate auth": ["generate auth --api-key", /./],
  "generate client": ["generate client", /lib\/client\.ts/],
  start: ["start --help", /--workers/],
  format: ["format --check", /unchanged/],
  "generate templates": ["generate templates", /\.fw\/routes\.ts/],
  "css build": ["css build", /static\/css\/output\.css/],
  "css install": ["css install --help", /compiler/],
  "css info": ["css info", /4\.0\.0/],
  test: ["test", /\d+ passed/],
  build: ["build --target node", /dist\/node/],
  "openapi generate": ["openapi generate", /openapi\.json/],
  "openapi diff": ["openapi diff openapi.json", /No change/],
  completion: ["completion bash", /fw/],
  lsp: ["lsp --help", /editor/],
  editor: ["editor --help", /extension/],
  ...Object.fromEntries(
    ["status", "migrate", "rollback", "new", "seed", "check", "reset"].map((name) => [
      `db ${name}`,
      [`db ${name} --help`, /migration|database/i],
    ]),
  ),
  ...Object.fromEntries(
    ["list", "show", "add", "retry", "pause", "resume", "clear", "schedule"].map((name) => [
      `jobs ${name}`,
      [`jobs ${name} --help`, /job/i],
    ]),
  ),
  task: ["task --help", /job/],
  requests: ["requests --help", /requests/],
  docs: ["docs signed cookies", /context\.md:\d+/],
}
/** Commands that run until they are stopped, and what they print when they are ready. */
const servers: Readonly<Record<string, readonly [line: string, ready: RegExp]>> = {
  dev: ["dev --port 0", /Local: /],
  "css watch": ["css watch", /built/],
  "openapi serve": ["openapi serve --port 0", /http:\/\//],
}

test("every command runs from the installed package", async () => {
  writeFileSync(join(folder, "compiler.cjs"), compiler, { mode: 0o755 })
  const env = { ...user.env, FW_CSS_BINARY: join(folder, "compiler.cjs") }
  const cwd = join(folder, "shop")
  await copyNewProject(cwd)
  const fw = (line: string): [string, ...string[]] => [join(cwd, "node_modules/.bin/fw"), ...line.split(" ")]
  for (const name of listNames(commands)) {
    const server = servers[name]
    if (server) {
      const [line, ready] = server
      const { program } = await listening((onLine) => start(fw(line), { cwd, env, onLine }), ready)
      await program.stop()
      continue
    }
    if (name === "mcp serve") {
      const { stdout } = await run(fw("mcp serve"), { cwd, env, stdin: { text: initialize } })
      assert.match(stdout, /"serverInfo"/)
      continue
    }
    if (name === "new") continue
    const known = lines[name]
    if (!known) throw new Error(`fw ${name} has no line in this test`)
    const [line, says] = known
    const { output } = await run(fw(line), { cwd, env })
    assert.match(output, says, name)
  }
})

const initialize = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})}\n`

function listNames(group: Group, path: readonly string[] = []): string[] {
  return Object.entries(group.commands).flatMap(([name, entry]) =>
    isGroup(entry) ? listNames(entry, [...path, name]) : [[...path, name].join(" ")],
  )
}

test("the README's example runs with fw dev", async () => {
  await run(["npm", "install", "-D", "esbuild", "typescript@~7.0.2"])
  const text = readFileSync(join(root, "README.md"), "utf8")
  const files = [...text.matchAll(/^```\w+\n\/\/ (app\/\S+)\n([\s\S]*?)^```$/gm)]
  assert.is(files.length, 2)
  for (const [, path = "", content = ""] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { port, program } = await listening(
    (onLine) => start([join(folder, "node_modules/.bin/fw"), "dev", "--port", "0"], { onLine }),
    /http:\/\/localhost:(\d+)/,
  )
  try {
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`http://localhost:${port}${path}`, init)
      return [response.status, await response.text()] as const
    }
    assert.equal(await ask("/api/users/1"), [200, '{"id":"1","name":"Ada"}'])
    assert.equal(await ask("/api/users/2"), [404, '{"error":"not_found","message":"no such user"}'])
    const headers = { "content-type": "application/json" }
    const [status] = await ask("/api/users/1", { method: "PUT", headers, body: '{"name":""}' })
    assert.is(status, 400)
    const [, page] = await ask("/hello?name=%3Cb%3E")
    assert.match(page, "<h1>Hello, &lt;b&gt;!</h1>")
  } finally {
    await program.stop()
  }
})

test.run()

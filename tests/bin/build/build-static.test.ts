/**
 * Tests of static files inside an executable: which files are embedded, and that they are served as from a disk.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createFileSource } from "../../../adapters/disk/files.ts"
import { createEmbeddedSource, normalizeDirectory } from "../../../adapters/executable/embedded.ts"
import {
  chooseDirectories,
  findIgnoredWarnings,
  listEmbeddedFiles,
  readStatic,
} from "../../../bin/build/static-files.ts"
import { type StaticAnswer, serveStatic } from "../../../lib/static/serve-static.ts"
import { project } from "../../support/bin/cli/command.ts"

const big = "0123456789".repeat(40_000)
const root = project({
  "static/index.html": "<p>home",
  "static/app.js": "let a = 1",
  "static/app.js.br": "brotli",
  "static/sub/index.html": "<p>sub",
  "static/sub/deep/a.txt": "deep",
  "static/empty.txt": "",
  "static/big.bin": big,
  "static/.env": "SECRET=1",
  "static/.hidden/a.txt": "no",
  "static/.well-known/security.txt": "Contact: x",
  "static/späte datei.txt": "ü",
  "other/a.txt": "other",
  "secret.txt": "outside",
})
symlinkSync(join(root, "secret.txt"), join(root, "static/leak.txt"))
symlinkSync(join(root, "static/app.js"), join(root, "static/same.js"))
symlinkSync(join(root, "static"), join(root, "static/sub/loop"))
symlinkSync(join(root, "nowhere"), join(root, "static/dangling"))

const served = { name: "static", prefix: "/static" }
const list = readStatic(root, served)

test("exactly the files that a server would send are embedded", async () => {
  assert.equal(
    (await list).files.map(({ path }) => path),
    [
      ".well-known/security.txt",
      "app.js",
      "app.js.br",
      "big.bin",
      "empty.txt",
      "index.html",
      "same.js",
      "späte datei.txt",
      "sub/deep/a.txt",
      "sub/index.html",
    ],
  )
})

const requests: ReadonlyArray<readonly [path: string, headers?: Record<string, string>, method?: string]> = [
  ["/"],
  ["/app.js"],
  ["/app.js", { "accept-encoding": "br" }],
  ["/app.js", { range: "bytes=2-4" }],
  ["/app.js", { range: "bytes=99-" }],
  ["/app.js", {}, "HEAD"],
  ["/app.js", {}, "POST"],
  ["/sub"],
  ["/sub/"],
  ["/sub/deep"],
  ["/sub/deep/"],
  ["/sub/deep/a.txt"],
  ["/empty.txt"],
  ["/big.bin"],
  ["/big.bin", { range: "bytes=65000-200000" }],
  ["/big.bin", { range: "bytes=-5" }],
  ["/späte datei.txt"],
  ["/.well-known/security.txt"],
  ["/.env"],
  ["/leak.txt"],
  ["/nothing"],
  ["/app.js/"],
  ["/same.js"],
]
for (const [path, headers = {}, method = "GET"] of requests) {
  test(`${method} ${path} ${JSON.stringify(headers)} is answered as from a disk`, async () => {
    const disk = createFileSource(join(root, "static"))
    assert.ok(disk)
    const { files } = await list
    const bytes = new Map(files.map((file) => [file.path, file.bytes]))
    const inside = createEmbeddedSource(
      listEmbeddedFiles([await list]).static ?? {},
      (name) => bytes.get(name) as Uint8Array,
    )
    const ask = async (source: typeof inside) => {
      const segments = path.split("/").filter((part) => part !== "")
      const header = (name: string) => headers[name] ?? ""
      try {
        const request = { method, path, search: "", header }
        return await told(await serveStatic(source, segments, request as never))
      } catch (error) {
        return { status: (error as { status: number }).status }
      }
    }
    assert.equal(await ask(inside), await ask(disk))
  })
}

/** Returns an answer as text without its ETag and time, which differ between a disk and an executable. */
async function told(answer: StaticAnswer | null) {
  if (answer === null) return null
  const { etag, "last-modified": _, ...headers } = answer.headers
  const body = answer.body === null ? null : Buffer.from(await new Response(answer.body).arrayBuffer())
  return { status: answer.status, headers, tagged: etag !== undefined, body: body?.toString("latin1") }
}

test("the ETag depends on the content, so a conditional request is answered with 304", async () => {
  const entries = listEmbeddedFiles([await list]).static ?? {}
  assert.is(entries["app.js"]?.tag, entries["same.js"]?.tag)
  assert.is.not(entries["app.js"]?.tag, entries["index.html"]?.tag)
  const source = createEmbeddedSource(entries, () => new Uint8Array(Buffer.from("let a = 1")))
  const header = (name: string) => (name === "if-none-match" ? `"${entries["app.js"]?.tag}"` : "")
  const request = { method: "GET", path: "/app.js", search: "", header }
  assert.is((await serveStatic(source, ["app.js"], request as never))?.status, 304)
})

test("a reader cannot change the embedded bytes", async () => {
  const bytes = new Uint8Array(Buffer.from(big))
  const source = createEmbeddedSource({ a: { size: bytes.length, tag: "x" } }, () => bytes)
  for (const [start, end] of [
    [0, 9],
    [0, bytes.length - 1],
  ] as const) {
    const file = await source.open(["a"])
    if (file === null || file === "directory") throw new Error("no file")
    const body = await file.read(start, end)
    const got = body instanceof Uint8Array ? body : ((await body.getReader().read()).value as Uint8Array)
    got.fill(0)
    assert.is(Buffer.from(bytes).toString(), big)
  }
})

const at = { file: "main.ts", line: 1, column: 1 }
const named = (by: "static" | "staticDir", dir: string | null, prefix: string | null = "/x") => ({
  by,
  dir,
  prefix,
  embed: true as boolean | null,
  at,
})
const chosen: ReadonlyArray<
  readonly [what: string, named: ReturnType<typeof named>[], names: string[], warnings: RegExp[]]
> = [
  ["no directory in the program", [], ["static"], []],
  ["another directory", [named("static", "./other/")], ["other", "static"], []],
  ["another staticDir", [named("staticDir", "other", "/static")], ["other"], []],
  ["a directory that is only known at run time", [named("static", null)], ["static"], [/only when the program runs/]],
  [
    "directories outside the project",
    [named("static", "../up"), named("static", "/var/up")],
    ["static"],
    [/not below/, /not below/],
  ],
  ["the project itself", [named("static", ".")], ["static"], [/not below/]],
  ["a directory with embed: false", [{ ...named("static", "other"), embed: false }], ["static"], []],
  ["a missing directory with embed: false", [{ ...named("static", "nope"), embed: false }], ["static"], []],
  [
    "a directory whose embed is only known at run time",
    [{ ...named("static", "other"), embed: null }],
    ["other", "static"],
    [/whether this directory is embedded/],
  ],
  ["a missing directory", [named("static", "nope")], ["static"], [/there is no directory "nope"/]],
]
for (const [what, list, names, warnings] of chosen) {
  test(`${what}: ${names.join(" and ")} ${names.length > 1 ? "are" : "is"} embedded, with ${warnings.length} warnings`, () => {
    const found = chooseDirectories(root, list)
    assert.equal(
      found.directories.map(({ name }) => name),
      names,
    )
    assert.is(found.warnings.length, warnings.length)
    for (const [i, pattern] of warnings.entries()) assert.match(found.warnings[i]?.message ?? "", pattern)
  })
}

test("a directory that git ignores gets a warning, and a directory with a single ignored file does not", async () => {
  const cwd = project({
    ".gitignore": "uploads/\n/static/css/\n*.tmp\n",
    "uploads/a.png": "a",
    "uploads/b.png": "b",
    "static/css/output.css": "a {}",
    "public/a.txt": "a",
    "public/b.tmp": "b",
  })
  const io = { env: process.env, signal: new AbortController().signal }
  const warnings = async () => {
    const names = ["uploads", "static", "public"]
    const read = await Promise.all(names.map((name) => readStatic(cwd, { name, prefix: null })))
    return findIgnoredWarnings(cwd, read, ["static/css/output.css"], io)
  }
  // Outside of a repository, nothing is known about ignored files, so there is no warning.
  assert.equal(await warnings(), [])
  execFileSync("git", ["init", "--quiet"], { cwd })
  const [warning, ...others] = await warnings()
  assert.equal(others, [])
  assert.match(warning?.message ?? "", /^uploads\/ goes into what is built \(2 files\), and git ignores it$/)
  assert.match(warning?.fix ?? "", /app\.static\(prefix, "uploads", \{ embed: false \}\)/)
})

for (const [dir, name] of [
  ["static", "static"],
  ["./static/", "static"],
  ["a//b/../c", "a/c"],
  ["a\\b", "a/b"],
  ["..", null],
  ["a/../../b", null],
  ["/abs", null],
  ["C:\\abs", null],
] as const) {
  test(`the directory ${dir} is ${name === null ? "not embedded" : `embedded as ${name}`}`, () =>
    assert.is(normalizeDirectory(dir), name))
}

test("a project without a directory of static files embeds no directory", () => {
  const bare = project({})
  mkdirSync(join(bare, "x"))
  writeFileSync(join(bare, "static"), "a file")
  assert.equal(chooseDirectories(bare, []).directories, [])
})

test.run()

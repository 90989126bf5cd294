/**
 * Tests of packages with native code: how they are recognized, which files they need, and the error if they have no
 * code for a machine.
 */
import { realpathSync, symlinkSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { parseMachines } from "../../../bin/build/binary-format.ts"
import { type Machine, nodeAbi } from "../../../bin/build/executable/node-release.ts"
import { ExternalPackages } from "../../../bin/build/external-packages.ts"
import { checkAbi, checkRuntime } from "../../../bin/build/native-abi.ts"
import { readPackageName } from "../../../bin/tools/npm.ts"
import { project } from "../../support/bin/cli/command.ts"

/** Returns the first bytes of an ELF program for a processor, as text. */
function elf(processor: number): string {
  return `\x7fELF${"\0".repeat(14)}${String.fromCharCode(processor)}${"\0".repeat(60)}`
}
const x64 = elf(0x3e)
// In UTF-8, 0xb7 would be two bytes, and the first one would have another value.
const other = elf(0x28)

const json = (value: object) => JSON.stringify(value)
const root = realpathSync(
  project({
    "node_modules/plain/package.json": json({ name: "plain", dependencies: { own: "1" } }),
    "node_modules/plain/index.js": "",
    "node_modules/own/package.json": json({ name: "own", dependencies: { bindings: "1" } }),
    "node_modules/own/build/Release/own.node": x64,
    "node_modules/own/src/own.cc": "int main() {}",
    "node_modules/own/README.md": "#",
    "node_modules/own/lib/index.js": "",
    "node_modules/bindings/package.json": json({ name: "bindings" }),
    "node_modules/bindings/bindings.js": "",
    "node_modules/parts/package.json": json({
      name: "parts",
      dependencies: { shared: "2" },
      optionalDependencies: {
        "@parts/linux-x64": "1",
        "@parts/linux-x64-musl": "1",
        "@parts/linux-arm64": "1",
        "@parts/win32-x64": "1",
      },
    }),
    "node_modules/parts/index.js": "",
    "node_modules/parts/node_modules/shared/package.json": json({ name: "shared", version: "2.0.0" }),
    "node_modules/parts/node_modules/shared/index.js": "2",
    "node_modules/shared/package.json": json({ name: "shared", version: "1.0.0" }),
    "node_modules/shared/index.js": "1",
    "node_modules/@parts/linux-x64/package.json": json({
      name: "@parts/linux-x64",
      os: ["linux"],
      cpu: ["x64"],
    }),
    "node_modules/@parts/linux-x64/index.node": x64,
    "node_modules/@parts/linux-x64-musl/package.json": json({
      name: "@parts/linux-x64-musl",
      os: ["linux"],
      cpu: ["x64"],
    }),
    "node_modules/@parts/linux-x64-musl/index.node": x64,
    "node_modules/@parts/win32-x64/package.json": json({
      name: "@parts/win32-x64",
      os: ["win32"],
      cpu: ["x64"],
    }),
    "node_modules/@parts/win32-x64/index.node": "MZ",
    "node_modules/prebuilt/package.json": json({ name: "prebuilt" }),
    "node_modules/prebuilt/prebuilds/linux-x64/a.node": x64,
    "node_modules/prebuilt/prebuilds/linux-arm/a.node": other,
    "node_modules/bound/package.json": json({ name: "bound" }),
    "node_modules/bound/bound.node": `${x64}node_module_register\0node_register_module_v115\0`,
    "node_modules/bound/extension.node": `${x64}sqlite3_extension_init\0`,
    "node_modules/better-sqlite3/package.json": json({ name: "better-sqlite3" }),
    "node_modules/better-sqlite3/a.node": `${x64}node_register_module_v127\0`,
    "node_modules/named/package.json": json({ name: "named" }),
    "node_modules/named/better_sqlite3.node": `${x64}node_register_module_v${nodeAbi}\0`,
    "node_modules/old/package.json": json({ name: "old" }),
    "node_modules/old/a.node": `${x64}node_module_register\0`,
    "node_modules/stable/package.json": json({ name: "stable" }),
    "node_modules/stable/a.node": `${x64}napi_register_module_v1\0`,
    "node_modules/both/package.json": json({ name: "both" }),
    "node_modules/both/a.node": `${x64}napi_module_register\0`,
    "node_modules/both/abi115.node": `${x64}node_register_module_v115\0`,
    "node_modules/many/package.json": json({ name: "many" }),
    "node_modules/many/abi115.node": `${x64}node_register_module_v115\0`,
    [`node_modules/many/abi${nodeAbi}.node`]: `${x64}node_register_module_v${nodeAbi}\0`,
    "node_modules/uses-shared/package.json": json({ name: "uses-shared", dependencies: { shared: "1" } }),
    "node_modules/uses-shared/a.node": x64,
  }),
)
const here: Machine = { os: "linux", arch: "amd64" }

function take(...names: string[]): ExternalPackages {
  const packages = new ExternalPackages()
  for (const name of names) packages.markImported(name, packages.find(name, root) as string)
  return packages
}

const native: ReadonlyArray<readonly [name: string, native: boolean]> = [
  ["own", true],
  ["parts", true],
  ["prebuilt", true],
  // This package only loads native code of another one, so it goes into the bundle and the other one does not.
  ["plain", false],
  ["bindings", false],
  ["not-installed", false],
]
for (const [name, is] of native) {
  test(`${name} ${is ? "has" : "has no"} native code`, () => {
    assert.is(new ExternalPackages().find(name, `${root}/app/api`) !== null, is)
  })
}

const closures: ReadonlyArray<readonly [names: string[], files: string[]]> = [
  [
    ["own"],
    [
      "bindings/bindings.js",
      "bindings/package.json",
      "own/build/Release/own.node",
      "own/lib/index.js",
      "own/package.json",
    ],
  ],
  [
    ["parts"],
    [
      "@parts/linux-x64/index.node",
      "@parts/linux-x64/package.json",
      "parts/index.js",
      "parts/package.json",
      "shared/index.js",
      "shared/package.json",
    ],
  ],
  [["prebuilt"], ["prebuilt/package.json", "prebuilt/prebuilds/linux-x64/a.node"]],
]
for (const [names, files] of closures) {
  test(`${names} is included with the files that it needs on this machine`, () => {
    const paths = take(...names)
      .listNeededFiles(here)
      .map(({ path }) => path)
    assert.equal(
      paths,
      files.map((file) => `node_modules/${file}`),
    )
  })
}

test("two versions of a package are placed so that each is found", () => {
  const files = take("uses-shared", "parts").listNeededFiles(here)
  const shared = files.filter(({ path }) => path.endsWith("shared/index.js"))
  assert.equal(
    shared.map(({ path, source }) => [path, source.slice(root.length)]),
    [
      ["node_modules/shared/index.js", "/node_modules/parts/node_modules/shared/index.js"],
      ["node_modules/uses-shared/node_modules/shared/index.js", "/node_modules/shared/index.js"],
    ],
  )
})

test("a package below another package gets its own version if a nearer version differs", () => {
  const store = "node_modules/.pnpm"
  const one = (name: string, version: string, dependencies: Readonly<Record<string, string>> = {}) => ({
    [`${store}/${name}${version}/node_modules/${name}/package.json`]: json({ name, version, dependencies }),
  })
  const root = realpathSync(
    project({
      ...one("other", "1", { deep: "1" }),
      ...one("shadow", "1", { deep: "2", shared: "2" }),
      ...one("deep", "1", { shared: "1" }),
      ...one("deep", "2", { shared: "1" }),
      ...one("shared", "1"),
      ...one("shared", "2"),
    }),
  )
  const link = (from: string, name: string, version: string) =>
    symlinkSync(`${root}/${store}/${name}${version}/node_modules/${name}`, `${root}/${from}/${name}`, "dir")
  for (const name of ["other", "shadow"]) link("node_modules", name, "1")
  link(`${store}/other1/node_modules`, "deep", "1")
  link(`${store}/shadow1/node_modules`, "deep", "2")
  link(`${store}/shadow1/node_modules`, "shared", "2")
  for (const version of ["1", "2"]) link(`${store}/deep${version}/node_modules`, "shared", "1")
  const packages = new ExternalPackages(root)
  for (const name of ["other", "shadow"]) assert.ok(packages.add(name, root))
  assert.equal(
    packages.listNeededFiles(here).map(({ path, source }) => [path, source.split("/").at(-4)]),
    [
      ["node_modules/deep/package.json", "deep1"],
      ["node_modules/other/package.json", "other1"],
      ["node_modules/shadow/node_modules/deep/node_modules/shared/package.json", "shared1"],
      ["node_modules/shadow/node_modules/deep/package.json", "deep2"],
      ["node_modules/shadow/node_modules/shared/package.json", "shared2"],
      ["node_modules/shadow/package.json", "shadow1"],
      ["node_modules/shared/package.json", "shared1"],
    ],
  )
})

for (const machine of [
  { os: "linux", arch: "arm64" },
  { os: "darwin", arch: "arm64" },
  { os: "windows", arch: "amd64" },
] as const) {
  test(`missing native code for ${machine.os}/${machine.arch} is reported, with the command that installs it`, () => {
    const error = failure(() => take("own").listNeededFiles(machine))
    assert.is(error.code, "native_machine")
    assert.match(error.message, /^own has native code, but none for /)
    assert.match(error.fix, /npm install .*--os=(linux|darwin|win32) --cpu=(x64|arm64) own/)
  })
}

for (const [name, version, fix] of [
  ["bound", "115", /a package whose native code uses Node-API/],
  ["better-sqlite3", "127", /libsql.*node:sqlite/],
  // The file name of this addon contains no version, so the addon was installed for the Node that runs.
  ["old", process.versions.modules, /Node-API/],
] as const) {
  test(`${name}: an addon that the Node of an executable cannot load is refused`, () => {
    const error = failure(() => take(name).listNeededFiles(here, checkAbi))
    assert.is(error.code, "native_node")
    assert.match(error.message, new RegExp(`native code of ${name} .*MODULE_VERSION ${version}.* needs ${nodeAbi}`))
    assert.match(error.fix, fix)
    assert.match(error.fix, /install .* with Node 26, .*fw build --target node/)
    // A bundle runs on the Node with which its packages were installed.
    assert.ok(take(name).listNeededFiles(here).length > 0)
  })
}

for (const name of ["stable", "both", "many", "own"]) {
  test(`${name}: an addon that the Node of an executable can load is accepted`, () => {
    assert.ok(
      take(name)
        .listNeededFiles(here, checkAbi)
        .some(({ path }) => path.endsWith(".node")),
    )
  })
}

// The result was tried with Bun 1.2, 1.3 and 1.4, with Deno 2.9, and with addons for Node 20, 24 and 26.
for (const [runtime, name, fix] of [
  ["bun", "bound", /^Use a package whose native code uses Node-API/],
  // Bun refuses this package by its name.
  ["bun", "named", /^Use a package whose native code uses Node-API/],
  ["deno", "bound", /^Use a package whose native code uses Node-API/],
  ["deno", "better-sqlite3", /^Use libsql.*node:sqlite/],
  ["deno", "many", /Node-API.* fw build --target node/],
  ["deno", "named", /Node-API/],
  ["bun", "stable", null],
  ["bun", "both", null],
  ["bun", "many", null],
  ["bun", "own", null],
  ["deno", "stable", null],
  ["deno", "both", null],
  ["deno", "own", null],
] as const) {
  test(`the native code of ${name} is ${fix ? "refused" : "accepted"} for ${runtime}`, () => {
    const check = () => take(name).listNeededFiles(here, (...addons) => checkRuntime(runtime, ...addons))
    if (fix === null) return assert.ok(check().length > 0)
    const error = failure(check)
    assert.is(error.code, "native_node")
    assert.match(error.message, new RegExp(`^${runtime}.* native code of ${name}, `, "i"))
    assert.match(error.fix, fix)
  })
}

test("two versions of a package that the project imports are an error", () => {
  const packages = take("own")
  assert.is(failure(() => packages.markImported("own", "/elsewhere")).code, "native_versions")
})

function failure(work: () => unknown): { code: string; message: string; fix: string } {
  try {
    work()
  } catch (error) {
    return error as never
  }
  return assert.unreachable("the call threw no error") as never
}

for (const [specifier, name] of [
  ["a", "a"],
  ["a/b/c", "a"],
  ["@a/b", "@a/b"],
  ["@a/b/c", "@a/b"],
  ["./a", null],
  ["/a", null],
  ["#platform", null],
  ["@a", null],
] as const) {
  test(`the package of ${specifier} is ${name}`, () => assert.is(readPackageName(specifier), name))
}

/** Returns the first bytes of a file with given bytes at given offsets. */
function head(...numbers: readonly [place: number, bytes: number[]][]): Buffer {
  const buffer = Buffer.alloc(512)
  for (const [place, bytes] of numbers) buffer.set(bytes, place)
  return buffer
}
const magic = [0x7f, 0x45, 0x4c, 0x46]
const formats: ReadonlyArray<readonly [what: string, head: Buffer, machines: string[] | null]> = [
  ["ELF x64", head([0, magic], [18, [0x3e, 0]]), ["linux/amd64"]],
  ["ELF arm64", head([0, magic], [18, [0xb7, 0]]), ["linux/arm64"]],
  ["ELF for riscv", head([0, magic], [18, [0xf3, 0]]), []],
  ["Mach-O x64", head([0, [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]]), ["darwin/amd64"]],
  ["Mach-O arm64", head([0, [0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1]]), ["darwin/arm64"]],
  [
    "both in one",
    head([0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2, 1, 0, 0, 7]], [28, [1, 0, 0, 12]]),
    ["darwin/amd64", "darwin/arm64"],
  ],
  ["a Java class", head([0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65]]), null],
  ["PE x64", head([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0x86]]), ["windows/amd64"]],
  ["PE arm64", head([0, [0x4d, 0x5a]], [0x3c, [0x80]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0xaa]]), ["windows/arm64"]],
  ["a text", Buffer.from("import x from 'y'\n".repeat(10)), null],
  ["an empty file", Buffer.alloc(0), null],
]
for (const [what, bytes, machines] of formats) {
  test(`${what} is recognized by its first bytes`, () => {
    assert.equal(parseMachines(bytes)?.map(({ os, arch }) => `${os}/${arch}`) ?? null, machines)
  })
}

test.run()

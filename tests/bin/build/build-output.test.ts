/** Tests of a build's output: names of executables, and that a file is written completely or not at all. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { chooseExecutablePath, formatOutputPath, toOutputPlace } from "../../../bin/build/output.ts"
import { fillDirectory } from "../../../bin/system/whole-directory.ts"
import { fillFile } from "../../../bin/system/whole-file.ts"
import type { FwError } from "../../../lib/errors.ts"
import { project } from "../../support/bin/cli/command.ts"

const linux = { os: "linux", arch: "amd64" } as const
const windows = { os: "windows", arch: "amd64" } as const

const names: ReadonlyArray<readonly [manifest: string | null, name: string]> = [
  ['{ "name": "shop" }', "shop"],
  ['{ "name": "@me/shop" }', "shop"],
  ['{ "name": "../../etc/shop" }', "shop"],
  ['{ "name": ".." }', "app"],
  ['{ "name": 7 }', ""],
  ["{}", ""],
  ["{ broken", ""],
  [null, ""],
]
for (const [manifest, name] of names) {
  test(`the executable of a project with ${manifest ?? "no package.json"} is ${name || "named like its directory"}`, async () => {
    const root = project(manifest === null ? {} : { "package.json": manifest })
    const expected = name || basename(root)
    assert.is(await chooseExecutablePath(root, linux, undefined), join(root, "bin", expected))
    assert.is(await chooseExecutablePath(root, windows, undefined), join(root, "bin", `${expected}.exe`))
  })
}

const outputs: ReadonlyArray<readonly [output: string, shown: string, onWindows: string]> = [
  ["out/a", "out/a", "out/a.exe"],
  ["./a.exe", "a.exe", "a.exe"],
  ["a.EXE", "a.EXE", "a.EXE"],
  ["a.b", "a.b", "a.b.exe"],
  ["/abs/a", "/abs/a", "/abs/a.exe"],
]
for (const [output, shown, onWindows] of outputs) {
  test(`--output ${output} writes ${shown}`, async () => {
    const root = project({})
    assert.is(formatOutputPath(root, await chooseExecutablePath(root, linux, output)), shown)
    assert.is(formatOutputPath(root, await chooseExecutablePath(root, windows, output)), onWindows)
  })
}

test("a new file replaces the old one only when the new one is complete", async () => {
  const root = project({ "bin/app": "old" })
  const path = join(root, "bin/app")
  const given = await fillFile(toOutputPlace(root, path), async (file) => {
    await file.write("half")
    assert.is(readFileSync(path, "utf8"), "old")
    await file.write("new")
    return 7
  })
  assert.equal([given, readFileSync(path, "utf8"), readdirSync(join(root, "bin"))], [7, "new", ["app"]])
})

test("a new directory replaces the old one only when the new one is complete", async () => {
  const root = project({ "dist/node/old.mjs": "old" })
  const place = toOutputPlace(root, join(root, "dist/node"))
  await fillDirectory(place, async (directory) => {
    await directory.write("main.mjs", "new")
    assert.equal(readdirSync(join(root, "dist/node")), ["old.mjs"])
  })
  assert.equal(readdirSync(join(root, "dist")), ["node"])
  assert.equal(readdirSync(join(root, "dist/node")), ["main.mjs"])
})

test("if a directory cannot be written, no part of the directory and no new directory above it remains", async () => {
  const root = project({})
  const told = await fillDirectory(toOutputPlace(root, join(root, "dist/node")), async (directory) => {
    await directory.write("main.mjs", "half")
    throw system("EBUSY", "in use")
  }).catch((error: FwError) => error)
  assert.is((told as FwError).code, "build_output")
  assert.equal(readdirSync(root), [])
})

const failures: ReadonlyArray<readonly [what: string, error: Error, code: string, message: RegExp, fix: RegExp]> = [
  [
    "the disk is full",
    system("ENOSPC", "no space left on device"),
    "build_space",
    /bin\/app cannot be written: no space/,
    /Make room/,
  ],
  [
    "the permission is missing",
    system("EACCES", "permission denied"),
    "build_output",
    /permission denied/,
    /give this user write access/,
  ],
]
for (const [what, error, code, message, fix] of failures) {
  test(`if ${what}, the old file stays, and no part of the new one exists`, async () => {
    const root = project({ "bin/app": "old" })
    const told = await fillFile(toOutputPlace(root, join(root, "bin/app")), async (file) => {
      await file.write("half")
      throw error
    }).catch((failure: FwError) => failure as FwError)
    assert.instance(told, Error)
    assert.is((told as FwError).code, code)
    assert.match((told as FwError).message, message)
    assert.match((told as FwError).fix, fix)
    assert.equal([readdirSync(join(root, "bin")), readFileSync(join(root, "bin/app"), "utf8")], [["app"], "old"])
  })
}

function system(code: string, text: string): Error {
  return Object.assign(new Error(text), { code, syscall: "write" })
}

test("an error that the disk did not cause is passed on unchanged", async () => {
  const root = project({})
  const bug = new Error("a bug")
  const told = await fillFile(toOutputPlace(root, join(root, "app")), () => Promise.reject(bug)).catch((error) => error)
  assert.is(told, bug)
  assert.is(existsSync(join(root, "app")), false)
})

test.run()

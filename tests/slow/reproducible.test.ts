/** Tests that the tarball is reproducible: the same sources give the same bytes in any directory. */
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { runProgram } from "../../bin/tools/program.ts"
import { pack } from "../support/bin/new/packed.ts"
import { root } from "../support/tsc.ts"

test("two builds in different directories make the same tarball", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fw-reproducible-"))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  const first = await pack(folder)
  const copy = join(folder, "a", "longer", "name")
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]
  const { stdout: names } = await runProgram({ program: "git", args: listed, cwd: root })
  for (const name of names.split("\0")) {
    if (name === "" || name === "node_modules" || !lstatSync(join(root, name), { throwIfNoEntry: false })) continue
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    cpSync(join(root, name), join(copy, name), { verbatimSymlinks: true })
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  await runProgram({ program: process.execPath, args: ["scripts/build.mjs"], cwd: copy })
  const { stdout } = await runProgram({
    program: "npm",
    args: ["pack", "--json", "--ignore-scripts", "--pack-destination", dirname(copy)],
    cwd: copy,
  })
  const [second] = JSON.parse(stdout)
  const paths = first.files.map(({ path }) => path)
  assert.equal(
    second.files.map(({ path }: { path: string }) => path),
    paths,
  )
  const different = paths.filter((path) => !readFileSync(join(root, path)).equals(readFileSync(join(copy, path))))
  assert.equal(different, [])
  const tarballs = [join(folder, first.filename), join(dirname(copy), second.filename)]
  const [a, b] = tarballs.map((file) => readFileSync(file))
  assert.ok(a && b && a.equals(b), "the files are the same, and the tarballs are not")
})

test.run()

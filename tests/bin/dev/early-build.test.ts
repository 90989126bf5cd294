/** `fw dev`: when a build begins after a change, and which changes it includes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { EarlyBuild } from "../../../bin/dev/early-build.ts"
import { PendingChanges } from "../../../bin/dev/pending-changes.ts"

const test = suite("fw dev: early builds")

const root = mkdtempSync(join(tmpdir(), "fw-early-"))
test.after(() => rmSync(root, { recursive: true }))

/** A file of the project. */
function file(name: string, text = "x"): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

/** Resolves after the events that are waiting. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

function open() {
  const builds: string[][] = []
  const early = new EarlyBuild((paths) => builds.push([...paths]))
  return { early, builds }
}

test("a build begins with the first event, and includes the files of the same moment", async () => {
  const { early, builds } = open()
  const [a, b] = [file("a.ts"), file("b.ts")]
  for (const path of [a, b, a]) early.note(path)
  await turn()
  assert.equal(builds, [[a, b]])
  assert.equal(early.end([a, b]), [])
  await turn()
  assert.is(builds.length, 1)
})

test("a file that changes again after its build began is built again", async () => {
  const { early, builds } = open()
  const path = file("a.ts")
  early.note(path)
  await turn()
  early.note(path)
  assert.equal(early.end([path]), [path])
  assert.is(builds.length, 1)
})

test("a file that is emptied or moved away first is built when the burst ends", async () => {
  const { early, builds } = open()
  const paths = [file("empty.ts", ""), join(root, "gone.ts")]
  for (const path of paths) early.note(path)
  await turn()
  assert.equal(builds, [])
  assert.equal(early.end(paths), paths)
})

test("of many changes in a burst, few begin a build each", async () => {
  const { early, builds } = open()
  const paths = Array.from({ length: 20 }, (_, i) => file(`${i}.ts`))
  for (const path of paths) {
    early.note(path)
    await turn()
  }
  assert.is(builds.length, 3)
  assert.equal(early.end(paths), paths.slice(3))
})

test("a result waits for the end of its burst", async () => {
  const { early } = open()
  const path = file("a.ts")
  assert.is(early.settled, undefined)
  early.note(path)
  let isSettled = false
  const settled = early.settled?.then(() => {
    isSettled = true
  })
  await turn()
  assert.is(isSettled, false)
  early.end([path])
  await settled
  assert.is(early.settled, undefined)
})

test("a build whose result is dropped leaves its changes to the next one", () => {
  const changes = new PendingChanges()
  changes.add(["a"])
  const first = changes.take() as ReadonlySet<string>
  assert.is(changes.replace(first), false)
  changes.add(["b"])
  assert.is(changes.replace(first), true)
  assert.equal([...(changes.take() ?? [])].sort(), ["a", "b"])
  assert.is(changes.take(), undefined)
  changes.add(["c"])
  assert.is(changes.replace(null), true)
  changes.add(["d"])
  assert.is(changes.take(), null)
})

test.run()

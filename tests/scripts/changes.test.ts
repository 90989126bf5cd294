/** Tests of the changelog of a release, which is made of the files in changes/. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

const { addChanges } = (await import(join(root, "scripts", "changes.mjs"))) as {
  addChanges(log: string, version: string, changes: Readonly<Record<string, string>>): string
}

const old = "# Changelog\n\n## 0.1.0\n\n### Added\n\n- The first version.\n"
const two = {
  "a.md": "Fixed: `$&` in a text stays.\n",
  "b.md": "Added: a flag,\nwith a second line.\n",
}
const section = "## 0.2.0\n\n### Added\n\n- A flag,\n  with a second line.\n\n### Fixed\n\n- `$&` in a text stays.\n\n"

test("the changes of a new version become a section before the others, grouped by type", () => {
  assert.is(
    addChanges(old, "0.2.0", two),
    old.replace("## 0.1.0", () => `${section}## 0.1.0`),
  )
})

test("more changes of a version are added to its section, and each change is written once", () => {
  const log = addChanges(old, "0.2.0", two)
  assert.is(addChanges(log, "0.2.0", two), log)
  assert.is(addChanges(log, "0.2.0", {}), log)
  const more = addChanges(log, "0.2.0", { ...two, "c.md": "Fixed: one more.", "d.md": "Security: a hole." })
  assert.is(
    more,
    log
      .replace("### Added", "### Security\n\n- A hole.\n\n### Added")
      .replace("### Fixed\n\n", "### Fixed\n\n- One more.\n"),
  )
  const next = addChanges(more, "0.3.0", { "e.md": "Fixed: one more." })
  assert.is(next, more.replace("## 0.2.0", "## 0.3.0\n\n### Fixed\n\n- One more.\n\n## 0.2.0"))
})

test("a change of an unknown type is an error that names the file of the change", () => {
  for (const text of ["", "no kind", "Improved: a thing", "fixed: a thing", "Fixed:"])
    assert.throws(() => addChanges(old, "0.2.0", { "a.md": text }), /^changes\/a\.md does not begin with Security:, /)
})

test("the changes of this checkout can be released", () => {
  const folder = join(root, "changes")
  const names = readdirSync(folder).filter((name) => name !== "README.md")
  const log = readFileSync(join(root, "CHANGELOG.md"), "utf8")
  assert.match(log, /^# Changelog\n\n## \d+\.\d+\.\d+\n/)
  addChanges(log, "0.0.0", Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")])))
})

test.run()

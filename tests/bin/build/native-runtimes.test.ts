/**
 * Tests of bundles with native code that Bun and Deno cannot load: the build is refused if the program imports the
 * code when it starts. Node may load it.
 */
import { closeSync, openSync, readSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

/**
 * Returns the first bytes of an addon of Node 20 for this machine, with the names of the functions that it uses.
 */
function addon(): Buffer {
  const head = Buffer.alloc(4096)
  const file = openSync(process.execPath, "r")
  readSync(file, head)
  closeSync(file)
  return Buffer.concat([head, Buffer.from("\0node_register_module_v115\0")])
}

const handler = `import type { Context } from "fw"
export const Get = (c: Context) => c.string(200, "hello")
`

for (const [how, source, targets, expected] of [
  [
    "a package",
    'import bound from "bound"\nexport default bound\n',
    ["bun", "deno", "node"],
    /the native code of bound, which is compiled/,
  ],
  [
    "an addon by its path",
    'import bound from "./bound.node"\nexport default bound\n',
    ["deno"],
    /lib\/bound\.node, which/,
  ],
  [
    "a package that is loaded later, or that CommonJS may require",
    'import driver from "./driver.cjs"\nexport default [driver, () => import("bound")]\n',
    ["bun"],
    null,
  ],
] as const) {
  test(`${how}: the build for ${targets.join(", ")} ${expected ? "is refused, except for Node" : "succeeds"}`, async () => {
    const cwd = makeProject({
      "app/api/a/route.ts": `import "../../../lib/data.ts"\n${handler}`,
      "lib/data.ts": source,
      "lib/driver.cjs": 'module.exports = () => require("bound")\n',
      "node_modules/bound/package.json": '{ "name": "bound", "main": "./bound.node" }',
    })
    for (const folder of ["node_modules/bound", "lib"]) writeFileSync(join(cwd, folder, "bound.node"), addon())
    for (const target of targets) {
      const { code, stderr } = await fw(["build", "--target", target], { cwd, env: { HOME: cwd } })
      const isRefused = expected !== null && target !== "node"
      assert.is(code, isRefused ? 1 : 0, `${target}: ${stderr}`)
      if (isRefused) assert.match(stderr, expected)
    }
  })
}

test.run()

/** Tests of the tools of examples/tasks under `fw dev`, with the official client. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { copyExample } from "../support/bin/build/executables.ts"
import { startDev } from "../support/bin/dev/dev-project.ts"
import { rightTools, useTools } from "../support/examples/tools.ts"

test("the official client lists and calls the tools of a project under fw dev", async () => {
  const root = copyExample("tasks")
  // Without styles, the test does not need the CSS compiler.
  rmSync(join(root, "styles"), { recursive: true })
  const dev = startDev(root, undefined, { TASKS_DATA: "", TASKS_API_KEYS: "ada=s3cret" })
  try {
    const url = `http://localhost:${await dev.port()}`
    // The tools are made from the types, which are read when the server already runs, so the first messages wait
    // for them.
    assert.equal(await useTools(url), rightTools)
  } finally {
    await dev.stop()
  }
})

test.run()

/** Tests of pages and layouts in JSX under `fw dev`. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ask, makeProject, startDev } from "../support/bin/dev/dev-project.ts"
import { files, packages, typed } from "../support/bin/project/jsx-recipe.ts"

test("JSX pages run in fw dev", async () => {
  const root = makeProject({ ...files, "tsconfig.json": typed }, packages)
  const dev = startDev(root)
  const port = await dev.port()
  const { status, body } = await ask(port, "/?name=%3CAda%3E")
  assert.is(status, 200, body)
  assert.match(body, '<body data-path="/"><h1 class="hello">Hello, &lt;Ada&gt;!</h1>')
  await dev.stop()
})

test("fw dev refuses JSX without a library", async () => {
  const dev = startDev(makeProject({ "app/page.tsx": files["app/page.tsx"] ?? "" }, packages))
  await dev.says(/this file contains JSX, but the project does not name a library for it/)
  await dev.stop()
})

test.run()

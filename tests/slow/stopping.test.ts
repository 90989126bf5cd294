/**
 * Tests that Ctrl-C and SIGTERM end each long-running command with the right exit code, and tests `fw dev` with
 * styles that do not compile.
 */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { commands, env, files, signals, start } from "../support/bin/commands/long-running.ts"
import { makeProject, startDev } from "../support/bin/dev/dev-project.ts"

for (const [argv, ready, typed] of commands) {
  for (const [signal, code] of signals) {
    test(`${signal} ends fw ${argv.join(" ")} with exit code ${code}`, async () => {
      const child = await start(argv, ready, typed)
      const ended = once(child, "close")
      child.kill(signal)
      assert.is((await ended)[0], code)
    })
  }
}

test("fw dev becomes ready even if the styles do not compile, and reports that once with the position", async () => {
  const root = makeProject({
    ...files,
    "styles/input.css": "a {\n  @apply broken;\n}\n",
    "app/page.tpl": "template Page() {\n}\n",
  })
  const dev = startDev(root, ["--port", "0"], env)
  const port = await dev.port()
  assert.is((await fetch(`http://localhost:${port}/api/hello`)).status, 200)
  await dev.stop()
  assert.is(dev.output.split("do not compile").length, 2, dev.output)
  assert.match(dev.output, /^styles\/input\.css:2:10: the styles do not compile: Cannot apply/m)
})

test.run()

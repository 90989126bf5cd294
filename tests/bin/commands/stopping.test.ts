/**
 * Tests of commands that run until they are stopped: how Ctrl-C and SIGTERM end a command, and when `fw dev` says
 * that it is ready. tests/slow/stopping.test.ts sends both signals to every command, and tests styles that do not
 * compile.
 */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { commands, env, files, signals, start } from "../../support/bin/commands/long-running.ts"
import { makeProject, route, startDev } from "../../support/bin/dev/dev-project.ts"

const stopping = suite("stopping")

for (const [argv, ready, typed] of commands.filter(([[name]]) => name === "css")) {
  for (const [signal, code] of signals) {
    stopping(`${signal} ends fw ${argv.join(" ")} with exit code ${code}`, async () => {
      const child = await start(argv, ready, typed)
      const ended = once(child, "close")
      child.kill(signal)
      assert.is((await ended)[0], code)
    })
  }
}

stopping.run()

const ready = suite("fw dev: ready")

ready("when fw dev says that it is ready, the styles are already compiled", async () => {
  const root = makeProject(files)
  const dev = startDev(root, ["--port", "0"], env)
  await dev.port()
  assert.ok(existsSync(join(root, "static/css/output.css")))
  await dev.stop()
})

ready.run()

const built = suite("fw build: a main file that listens")

built("a main file that calls listen() causes a warning with the position", async () => {
  const main = 'import { App } from "fw"\nconst app = new App()\nawait app.listen()\nexport default app\n'
  const cwd = makeProject({ "main.ts": main, "app/api/hello/route.ts": route("hello") })
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: { HOME: cwd } })
  assert.is(code, 0, stderr)
  assert.match(
    stderr,
    /warning: the main file calls listen\(\), .*\n +main\.ts:3:11\n[\s\S]*Remove the call of listen\(\)\./,
  )
})

built.run()

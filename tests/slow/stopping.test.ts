/** Commands that run until they are stopped: Ctrl-C and SIGTERM end each of them with the right exit code. */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { commands, signals, start } from "../support/bin/commands/long-running.ts"

for (const [argv, ready, typed] of commands) {
  for (const [signal, code] of signals) {
    test(`fw ${argv.join(" ")}: ${signal} ends it with exit code ${code}`, async () => {
      const child = await start(argv, ready, typed)
      const ended = once(child, "close")
      child.kill(signal)
      assert.is((await ended)[0], code)
    })
  }
}

test.run()

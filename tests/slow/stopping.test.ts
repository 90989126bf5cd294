/** Commands that run until they are stopped: SIGTERM ends each of them well. */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { commands, start } from "../support/bin/commands/long-running.ts"

for (const [argv, ready, typed] of commands) {
  test(`fw ${argv.join(" ")}: SIGTERM is exit code 0`, async () => {
    const child = await start(argv, ready, typed)
    const ended = once(child, "close")
    child.kill("SIGTERM")
    assert.is((await ended)[0], 0)
  })
}

test.run()

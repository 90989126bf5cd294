/** The tests that use only entries of the package, on the bundles that Node loads: every part of the core runs from its file. */
import { test } from "uvu"
import { runOnBundles } from "../support/adapters/bundled-tests.ts"

const names = [
  "adapters/hono",
  "adapters/lambda",
  "adapters/server",
  "adapters/node/node",
  "adapters/node/node-bodies",
  "adapters/node/node-framing",
  "adapters/node/fast/response",
  "adapters/node/node-shutdown",
  "adapters/node/node-stream",
  "adapters/node/node-trace",
  "adapters/store/store-sqlite",
  "lib/app-disk",
  "lib/canonical",
  "lib/links",
  "lib/testing",
  "lib/answer/response",
  "lib/answer/socket",
  "lib/answer/stream",
  "lib/jwt/jwt",
  "lib/log/log-lines",
  "lib/middleware/combine",
  "lib/middleware/compress",
  "lib/middleware/timeout",
  "lib/mount/mounting",
]

for (const name of names) {
  test(`${name}.test.ts holds for the bundles`, async () => {
    await runOnBundles(name)
  })
}

test.run()

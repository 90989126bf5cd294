/** Runs the contract of file stores on the R2 of workerd, which Miniflare starts. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { memoryFiles, type R2Binding, r2Files } from "../../adapters/files.ts"
import { catchFailure, driveFiles } from "../support/files/contract.ts"
import { installTools } from "../support/tools.ts"

process.env.FW_SECRETS = "0123456789abcdef0123456789abcdefXYZ"

interface Miniflare {
  getR2Bucket(name: string): Promise<R2Binding>
  dispose(): Promise<void>
}

let miniflare: Miniflare
driveFiles(
  "R2",
  async () => {
    const packages = await installTools(["miniflare@4.20260426.0"])
    const { Miniflare } = createRequire(join(packages, "x.js"))("miniflare") as {
      readonly Miniflare: new (options: object) => Miniflare
    }
    const script = "export default { fetch: () => new Response() }"
    miniflare = new Miniflare({ modules: true, script, r2Buckets: ["BUCKET"] })
    return r2Files(await miniflare.getR2Bucket("BUCKET"), { path: "/files" })
  },
  () => miniflare.dispose(),
)

test("r2Files() refuses a value that is not a binding of R2", async () => {
  for (const given of [undefined, {}, "BUCKET", memoryFiles()])
    assert.is(await catchFailure(() => r2Files(given as never)), "files")
})

test.run()

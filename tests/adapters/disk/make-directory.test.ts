/** Tests of directories that cannot be created. Below /proc, `mkdir()` of Node with `recursive` never ends. */
import { existsSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { saveStream } from "../../../adapters/disk/save-stream.ts"
import { diskFiles } from "../../../adapters/files/disk-files.ts"
import { shareAssets } from "../../../adapters/start/shared-assets.ts"
import { sqliteStore } from "../../../adapters/store.ts"
import { makeDirectory } from "../../../bin/system/directories.ts"
import { App } from "../../../lib/app.ts"

const settings: readonly (readonly [what: string, use: (directory: string) => unknown, problem: RegExp])[] = [
  [
    "FW_ASSETS_DIR",
    (directory) => shareAssets(new App(), directory),
    /^FW_ASSETS_DIR names ".*", where the program can/,
  ],
  ["diskFiles()", (directory) => diskFiles(directory).put("a.txt", "a"), /^files\.put\(\) was not done/],
  ["sqliteStore()", (directory) => sqliteStore(`${directory}/a.db`), /^sqliteStore\(\) cannot open .*a\.db/],
  ["part.save()", (directory) => saveStream(`${directory}/a.txt`, new Blob(["a"]).stream()), /ENOENT.*mkdir/],
  ["a command's output", (directory) => makeDirectory({ root: null, path: directory }), /cannot be written: ENOENT/],
]
for (const [what, use, problem] of existsSync("/proc/self") ? settings : []) {
  test(`${what} that names a directory below /proc is an error`, async () => {
    try {
      await use("/proc/fw-none/below")
      assert.unreachable()
    } catch (error) {
      assert.match((error as Error).message, problem)
    }
  })
}

test.run()

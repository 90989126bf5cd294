/**
 * Tests of storing a program in the cache while another install or the system is in the way. css-install.test.ts
 * and build-node.test.ts test downloads that fail.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { NewFile } from "../../../bin/system/whole-file.ts"
import { type CachedProgram, cacheProgram } from "../../../bin/tools/cached-program.ts"
import { FwError } from "../../../lib/errors.ts"
import { project } from "../../support/bin/cli/command.ts"

const program = (given: Partial<CachedProgram> = {}): CachedProgram => ({
  fetch: (file) => file.write("new"),
  isInstalled: async () => false,
  toWriteError: (cause) => new FwError("refused", String(cause), "Let it."),
  signal: new AbortController().signal,
  ...given,
})

const thrown = (path: string, given?: Partial<CachedProgram>) =>
  cacheProgram(path, program(given)).then(
    () => assert.unreachable("the program was installed, although the test expects an error") as never,
    (error: unknown) => error,
  )

test("a program replaces an old one in one step, and is executable", async () => {
  const path = join(project({ "cache/tool": "old" }), "cache/tool")
  await cacheProgram(path, program())
  assert.is(readFileSync(path, "utf8"), "new")
  assert.is(statSync(path).mode & 0o777, 0o755)
  assert.equal(readdirSync(join(path, "..")), ["tool"])
})

test("a directory at the program's path is an error, unless another install has finished", async () => {
  const path = join(project({ "cache/tool/in/the/way": "" }), "cache/tool")
  assert.is(((await thrown(path)) as FwError).code, "refused")
  await cacheProgram(path, program({ isInstalled: async () => true }))
  assert.equal(readdirSync(join(path, "..")), ["tool"])
})

test("if no directory can be created, the call fails before anything is downloaded", async () => {
  const root = project({})
  writeFileSync(join(root, "cache"), "a file")
  const fetch = () => assert.unreachable("the program was downloaded") as never
  assert.is(((await thrown(join(root, "cache/tool"), { fetch })) as FwError).code, "refused")
})

test("a call that is aborted rejects with the reason, and leaves no files", async () => {
  const path = join(project({}), "tool")
  const stop = new AbortController()
  const fetch = async (file: NewFile) => {
    await file.write("half")
    stop.abort()
    stop.signal.throwIfAborted()
  }
  assert.is(await thrown(path, { fetch, signal: stop.signal }), stop.signal.reason)
  assert.equal(readdirSync(join(path, "..")), [])
})

test.run()

/**
 * Tests of the errors of a scan: all are reported together, also for files that cannot be read and for symbolic
 * links.
 */
import { chmod, symlink } from "node:fs/promises"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { FwError } from "../../../lib/errors.ts"
import { ScanError, scan } from "../../../lib/scan.ts"
import { findProblems, handlers, inProject } from "../../support/lib/scan/scan-project.ts"

const get = handlers("Get")
const proxy = "export function Proxy(c) {}\n"
test("all problems are reported together, in the order of their positions", async () => {
  const found = await findProblems({
    "app/b/route.ts": handlers("GET", "POST"),
    "app/a/Route.ts": get,
    "app/c/proxy.ts": proxy,
    "app/c/[[x]]/route.ts": get,
    "app/middleware.ts": "export default 1",
  })
  const places = found.map(({ at }) => `${at?.file}:${at?.line ?? ""}`)
  assert.equal(places, [
    "app/a/Route.ts:",
    "app/b/route.ts:1",
    "app/b/route.ts:2",
    "app/c/[[x]]:",
    "app/c/proxy.ts:",
    "app/middleware.ts:1",
  ])
})

test("a ScanError lists every problem in its message", () => {
  const one = new FwError("conflict", "one", "Fix one.", { at: { file: "a.ts", line: 2, column: 3 } })
  const two = new FwError("exports", "two", "Fix two.", { at: { file: "b.ts" } })
  const error = new ScanError([one, two])
  assert.instance(error, FwError)
  assert.equal([error.code, error.name, error.at?.file], ["scan", "ScanError", "a.ts"])
  assert.is(error.message, "a.ts:2:3: one\n  Fix one.\nb.ts: two\n  Fix two.")
  assert.is(String(error), error.message)
  assert.is(new ScanError([one]).fix, "Fix one.")
})

test("a missing route directory is an error that says what to create", async () => {
  for (const files of [{ "main.ts": "" }, { app: "a file" }]) {
    await inProject(files, async (root) => {
      const error = await scanDirectory(root, "app").catch((thrown: unknown) => thrown)
      assert.instance(error, FwError)
      assert.is((error as FwError).code, "app_dir")
      assert.is(
        String(error),
        'there is no directory "app" to read routes from\n' +
          "  Create it, with a first route in app/api/health/route.ts, or name another one: new App({ appDir }).",
      )
    })
  }
})

test("a directory or file that cannot be read is named, and the others are still scanned", async () => {
  const denied = () => Promise.reject(new Error("EACCES: permission denied"))
  const source = {
    list: (directory: string) =>
      directory === "app"
        ? Promise.resolve([
            { name: "a", kind: "directory" as const },
            { name: "route.ts", kind: "file" as const },
          ])
        : denied(),
    read: denied,
  }
  const error = await scan(source, "app").catch((thrown: unknown) => thrown)
  assert.instance(error, ScanError)
  const why =
    "it cannot be read: EACCES: permission denied\n  Give the user that runs fw read access to the file or directory, or move it out of the route directory."
  assert.is(String(error), `app/a: ${why}\napp/route.ts: ${why}`)
  assert.instance((error as ScanError).problems[0]?.cause, Error)
})

test("on disk, a directory without permission is an error that names it", async () => {
  // Root can read every file, whatever its mode is.
  if (process.getuid?.() === 0) return
  await inProject({ "app/a/route.ts": get }, async (root) => {
    await chmod(join(root, "app/a"), 0o000)
    const error = await scanDirectory(root, "app").catch((thrown: unknown) => thrown)
    await chmod(join(root, "app/a"), 0o755)
    assert.match(String(error), /^app\/a: it cannot be read: EACCES/)
  })
})

const links: ReadonlyArray<[what: string, ...links: Array<[target: string, path: string]>]> = [
  ["leads to a path that does not exist", ["nowhere", "app/api/x"]],
  ["leads to a path that does not exist", ["x", "app/api/x"]],
  ["leads to a directory outside the project", ["/usr/bin", "app/api/x"]],
  ["leads back to a directory that contains it", [".", "app/api/x"]],
  ["leads back to a directory that contains it", ["../..", "app/api/x"]],
  ["leads back to a directory that contains it", ["../api", "app/api/x"]],
]

for (const [what, ...made] of links) {
  test(`a symbolic link to ${made[0]?.[0]} ${what}`, async () => {
    await inProject({ "app/api/route.ts": get }, async (root) => {
      for (const [target, path] of made) await symlink(target, join(root, path))
      const error = await scanDirectory(root, "app").catch((thrown: unknown) => thrown)
      assert.is(
        String(error),
        `app/api/x: the symbolic link ${what}\n  Remove it, or begin its name with _ to leave it out.`,
      )
    })
  })
}

test("symbolic links that lead to each other's directories are an error, not an endless scan", async () => {
  await inProject({ "app/a/route.ts": get, "app/b/route.ts": get }, async (root) => {
    await symlink("../b", join(root, "app/a/to"))
    await symlink("../a", join(root, "app/b/to"))
    const error = await scanDirectory(root, "app").catch((thrown: unknown) => thrown)
    assert.instance(error, ScanError)
    assert.equal(
      (error as ScanError).problems.map(({ at, code }) => `${at?.file} ${code}`),
      ["app/a/to/to link", "app/b/to/to link"],
    )
  })
})

test("a symbolic link with a private name is ignored", async () => {
  await inProject({ "app/route.ts": get }, async (root) => {
    await symlink("nowhere", join(root, "app/.#route.ts"))
    await symlink("..", join(root, "app/_up"))
    assert.is((await scanDirectory(root, "app")).routes.length, 1)
  })
})

test.run()

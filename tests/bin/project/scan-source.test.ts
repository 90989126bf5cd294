/** A scan that keeps what it read: after every change the same tree as from the disk. */
import { execFileSync } from "node:child_process"
import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { directorySource } from "../../../adapters/disk/directory.ts"
import { scanProject } from "../../../bin/project/scan-project.ts"
import { ScanSource } from "../../../bin/project/scan-source.ts"
import type { DirectorySource } from "../../../lib/scan.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

const scans = suite("scans that keep what they read")

const route = (name: string, comment = "x") =>
  `/** ${comment} */\nexport function ${name}(c) { return c.noContent() }\n`
const middleware = "export const Middleware = () => (next) => (c) => next(c)\n"

const changes: ReadonlyArray<readonly [title: string, change: (root: string) => void]> = [
  ["nothing", () => {}],
  ["another method", (root) => write(root, { "app/a/route.ts": route("Post") })],
  ["another comment of the same length", (root) => write(root, { "app/a/route.ts": route("Post", "y") })],
  ["a new directory", (root) => write(root, { "app/b/[id]/route.ts": route("Get") })],
  ["middleware", (root) => write(root, { "app/b/middleware.ts": middleware })],
  [
    "a file that is renamed",
    (root) => renameSync(join(root, "app/a/route.ts"), join(root, "app/a/route.js")),
  ],
  ["a directory that is renamed", (root) => renameSync(join(root, "app/b"), join(root, "app/c"))],
  ["a link to a directory", (root) => symlinkSync(join(root, "app/c"), join(root, "app/d"), "dir")],
  ["a link to a file", (root) => symlinkSync(join(root, "app/a/route.js"), join(root, "app/d/route.js"))],
  [
    "directories that are deleted",
    (root) => {
      for (const name of ["d", "c"]) rmSync(join(root, "app", name), { recursive: true })
    },
  ],
]

scans("after every change the tree is the same as that of a new scan", async () => {
  const root = makeProject({ "app/a/route.ts": route("Get"), "app/z/route.ts": route("Get") }, [])
  const source = new ScanSource(root)
  for (const [title, change] of changes) {
    change(root)
    const [kept, disk] = [
      await scanProject(root, "app", source),
      await scanProject(root, "app", directorySource(root)),
    ]
    assert.equal(kept, disk, title)
  }
})

scans("an unchanged file is neither read nor parsed again", async () => {
  const root = makeProject({ "app/a/route.ts": route("Get") }, [])
  const [source, options] = [new ScanSource(root), { file: "app/a/route.ts", jsx: false }]
  const first = source.module(await source.read(options.file), options)
  assert.is(source.module(await source.read(options.file), options), first)
  const { atime, mtime } = statSync(join(root, options.file))
  write(root, { [options.file]: route("Put") })
  utimesSync(join(root, options.file), atime, mtime)
  assert.match(await source.read(options.file), "Put")
  assert.is.not(source.module(await source.read(options.file), options), first)
})

scans("a path that is not a file is not read, and causes the same error as on disk", async () => {
  const root = makeProject({ "app/dir/x.ts": "", "app/own.ts": route("Get") }, [])
  execFileSync("mkfifo", [join(root, "app/pipe.ts")])
  symlinkSync("own.ts", join(root, "app/link.ts"))
  const said = async (file: string, source: DirectorySource) =>
    source.read(file).catch((error: Error) => `error: ${error.message}`)
  const [quick, disk] = [new ScanSource(root), directorySource(root)]
  for (const [file, text] of [
    ["app/pipe.ts", "error: it is not an ordinary file"],
    ["app/dir", "error: it is not an ordinary file"],
    ["app/none.ts", "ENOENT"],
    ["app/link.ts", route("Get")],
  ] as const) {
    const both = [await said(file, quick), await said(file, disk)]
    assert.is(both[0], both[1], file)
    assert.match(both[0] as string, text)
  }
})

scans("a missing directory causes the same error as on disk", async () => {
  const root = makeProject({ "package.json": "{}" }, [])
  try {
    await scanProject(root, "app", new ScanSource(root))
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code: string }).code, "app_dir")
  }
})

scans.run()

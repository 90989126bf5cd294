/** Tests of the watcher of `fw dev`: which events are changes, and when a burst of them is over. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { mock } from "node:test"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ProjectWatcher } from "../../../bin/system/watch.ts"

const test = suite("fw dev: watching")

let root: string
let watcher: ProjectWatcher
let seen: Set<string>
let look: (() => void) | undefined
let onEvent: ((path: string) => void) | undefined

test.before.each(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fw-watch-test-")))
  for (const name of ["app/api/dist", "lib", "node_modules/x", ".git", ".fw", "dist"])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, "lib/a.ts"), "1")
  seen = new Set()
  watcher = new ProjectWatcher({
    root,
    onEvent: (path) => onEvent?.(path),
    onBurst: (paths) => {
      for (const path of paths) seen.add(relative(root, path))
      look?.()
    },
    onError: (error) => assert.unreachable(String(error)),
  })
  watcher.start()
})

test.after.each(() => {
  watcher.close()
  rmSync(root, { recursive: true, force: true })
})

/** Waits until every path was reported. */
async function told(...paths: string[]): Promise<void> {
  while (!paths.every((path) => seen.has(path))) {
    await new Promise<void>((resolve) => {
      look = resolve
    })
  }
}

function put(name: string, text = "x"): void {
  mkdirSync(join(root, name, ".."), { recursive: true })
  writeFileSync(join(root, name), text)
}

test("saves, renames over a file, new files and deleted files are reported", async () => {
  put("lib/a.ts", "2")
  await told("lib/a.ts")
  seen.clear()
  put("lib/.a.ts.tmp", "3")
  renameSync(join(root, "lib/.a.ts.tmp"), join(root, "lib/a.ts"))
  await told("lib/a.ts")
  put("lib/b.ts")
  await told("lib/b.ts")
  seen.clear()
  rmSync(join(root, "lib/b.ts"))
  await told("lib/b.ts")
})

test("the files of a new directory are reported with the first event of the directory, so that no request can come in between", async () => {
  const events: string[] = []
  const isTurnOver = new Promise<void>((resolve) => {
    onEvent = (path) => {
      events.push(relative(root, path))
      queueMicrotask(resolve)
    }
  })
  put("app/api/x/[id]/route.ts")
  await isTurnOver
  onEvent = undefined
  assert.ok(events.includes("app/api/x/[id]/route.ts"))
})

test("a new directory is reported with its files, later changes in it, and a directory that replaces it", async () => {
  put("app/api/x/[id]/route.ts")
  await told("app/api/x/[id]/route.ts")
  seen.clear()
  put("app/api/x/[id]/route.ts", "y")
  await told("app/api/x/[id]/route.ts")
  rmSync(join(root, "app/api/x"), { recursive: true })
  await told("app/api/x")
  seen.clear()
  put("spare/[id]/route.ts")
  await told("spare/[id]/route.ts")
  renameSync(join(root, "spare"), join(root, "app/api/x"))
  await told("app/api/x/[id]/route.ts")
  seen.clear()
  put("app/api/x/[id]/route.ts", "z")
  await told("app/api/x/[id]/route.ts")
})

test("files of tools and generated files are not reported, but files in a directory dist below the top are reported", async () => {
  for (const name of [
    "node_modules/x/a.js",
    ".git/index",
    ".fw/routes.ts",
    "dist/a.js",
    "lib/page.tpl.ts",
    "lib/a.ts~",
    "lib/.a.ts.swp",
    "4913",
  ])
    put(name)
  put("app/.well-known/x/route.ts")
  put(".env")
  put("app/api/dist/route.ts")
  await told("app/api/dist/route.ts", ".env", "app/.well-known/x/route.ts")
  const rest = [...seen].filter((path) => !/^app|^\.env$/.test(path))
  assert.equal(rest, [])
})

test("files that change together are one burst", async () => {
  for (let i = 0; i < 50; i++) put(`lib/f${i}.ts`)
  await new Promise<void>((resolve) => {
    look = resolve
  })
  assert.is(seen.size, 50)
})

/** Makes a change, and waits for its event. */
async function noticed(change: () => void): Promise<void> {
  const event = new Promise<void>((resolve) => {
    onEvent = () => resolve()
  })
  change()
  await event
}

const emptied = {
  "that is written soon": { written: "2", after: 2 },
  "that stays empty": { written: null, after: 50 },
}
for (const [what, { written, after }] of Object.entries(emptied))
  test(`a burst waits for an emptied file ${what}`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] })
    try {
      await noticed(() => put("lib/a.ts", ""))
      for (const pause of [2, 50]) {
        mock.timers.tick(pause)
        assert.equal([...seen], [])
      }
      if (written) await noticed(() => put("lib/a.ts", written))
      mock.timers.tick(after)
      assert.equal([...seen], ["lib/a.ts"])
    } finally {
      mock.timers.reset()
    }
  })

test.run()

/** Tests of the modules below the routes: the store on disk, its limits, reports, and keys. */
import "./support/env.ts"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { createOwnerFinder } from "../lib/keys.ts"
import { createReport } from "../lib/report.ts"
import { createDiskStorage, createMemoryStorage } from "../lib/storage.ts"
import { limits, Store, type Task } from "../lib/store.ts"

const input = { title: "Water the plants", note: "", due: null }

const store = suite<{ directory: string }>("store", { directory: "" })

store.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), "tasks-"))
})
store.after.each(({ directory }) => rmSync(directory, { recursive: true }))

store("data survives a restart", async ({ directory }) => {
  const before = new Store(createDiskStorage(directory))
  await before.configure({ name: "Household", maintenance: true, changedBy: "ops" })
  const tasks = await Promise.all(Array.from({ length: 20 }, () => before.add(input)))
  const { id } = tasks[3] as Task
  const bytes = new TextEncoder().encode("soil")
  const attachment = await before.attach(id, { name: "../soil.txt", type: "text/plain" }, bytes)
  await before.remove(1)
  const after = new Store(createDiskStorage(directory))
  assert.equal(after.list(), before.list())
  assert.equal(after.settings, before.settings)
  assert.equal(new Uint8Array(await after.readAttachment(after.getAttachment(id, attachment.id))), bytes)
  assert.is((await after.add(input)).id, 22)
  await after.remove(id)
  assert.equal(readdirSync(join(directory, "files")), [])
  assert.equal(readdirSync(directory).sort(), ["files", "tasks.json"])
})

store("a save that fails affects only its own request", async ({ directory }) => {
  const storage = createDiskStorage(directory)
  let broken = true
  const save = (text: string) => (broken ? Promise.reject(new Error("the disk is full")) : storage.save(text))
  const tasks = new Store({ ...storage, save })
  const failed = await tasks.add(input).catch((error) => error)
  assert.is(failed.message, "the disk is full")
  broken = false
  await tasks.add(input)
  assert.match(readFileSync(join(directory, "tasks.json"), "utf8"), /Water the plants/)
})

store("finishing a task twice keeps the first time", async () => {
  const tasks = new Store(createMemoryStorage())
  const { id } = await tasks.add(input)
  const { finished } = await tasks.finish(id, true)
  // Waits for the clock to advance.
  while (new Date().toISOString() === finished);
  assert.is((await tasks.finish(id, true)).finished, finished)
  assert.is((await tasks.finish(id, false)).finished, null)
  assert.not.equal((await tasks.finish(id, true)).finished, finished)
})

store("the number of tasks is limited", async () => {
  const full = new Store(createMemoryStorage())
  for (let i = 0; i < limits.tasks; i++) await full.add(input)
  const refused = await full.add(input).catch((error) => error)
  assert.is(refused.status, 409)
  assert.match(refused.message, "1000 tasks already")
})

store.run()

const others = suite("report and keys")

others("a report counts the tasks that were created and finished in the period", () => {
  const task = (created: string, finished: string | null): Task => {
    return { id: 1, ...input, created, finished, attachments: [] }
  }
  const tasks = [
    task("2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z"),
    task("2026-03-01T00:00:00Z", null),
    task("2026-03-02T00:00:00Z", "2026-04-01T00:00:00Z"),
  ]
  for (const [period, expected] of [
    ["", { period: "all", created: 3, finished: 2, open: 1 }],
    ["2025", { period: "2025", created: 1, finished: 0, open: 0 }],
    ["2026", { period: "2026", created: 2, finished: 2, open: 1 }],
    ["2026/03", { period: "2026-03", created: 2, finished: 0, open: 1 }],
    ["2026/3", null],
    ["2026/00", null],
    ["2026-03", null],
  ] as const) {
    assert.equal(createReport(tasks, period), expected, period)
  }
})

others("a key has one owner, and an unknown key has none", async () => {
  const findOwner = createOwnerFinder(
    new Map([
      ["ops", "one"],
      ["backup", "two"],
    ]),
  )
  assert.is(await findOwner("one"), "ops")
  assert.is(await findOwner("two"), "backup")
  for (const guess of ["", "on", "onee", "One", "three"]) assert.is(await findOwner(guess), null)
  assert.is(await createOwnerFinder(new Map())("anything"), null)
})

others.run()

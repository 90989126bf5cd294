/** The contract of every engine that has logs. */
import * as assert from "uvu/assert"
import type { LogEntry, Store } from "../../../lib/store/types.ts"
import { data, fresh, rejects } from "./contract.ts"
import { until } from "./until.ts"

type Test = (
  title: string,
  body: (stores: { readonly one: Store<"log">; readonly two: Store<"log"> }) => Promise<void>,
) => void

const readData = (entries: readonly LogEntry[]) => entries.map((entry) => entry.data)

/** Appends numbers from 1, and returns their ids. */
async function fill(store: Store<"log">, name: string, count: number, maxEntries = 1_000): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++) ids.push(await store.log.append(name, number, { maxEntries }))
  return ids
}

/** Adds the tests of logs. */
export function logClaims(test: Test): void {
  test("log: entries with data of every type are read in their order, by another process too", async ({ one, two }) => {
    const name = fresh("log")
    const ids: string[] = []
    for (const value of data) ids.push(await one.log.append(name, value))
    const { entries, gap } = await two.log.read(name)
    assert.equal(readData(entries), JSON.parse(JSON.stringify(data)))
    assert.equal(
      entries.map(({ id }) => id),
      ids,
    )
    assert.is(gap, false)
    for (const id of ids) assert.match(id, /^\S+$/)
  })
  test("log: read() returns the entries after an id, and not more than its limit", async ({ one, two }) => {
    const name = fresh("log")
    const ids = await fill(one, name, 7)
    assert.equal(readData((await two.log.read(name, { limit: 3 })).entries), [1, 2, 3])
    const middle = await two.log.read(name, { after: ids[2] as string, limit: 3 })
    assert.equal([readData(middle.entries), middle.gap], [[4, 5, 6], false])
    const none = await two.log.read(name, { after: ids[6] as string })
    assert.equal([none.entries, none.gap], [[], false])
  })
  test("log: an empty log has no entries and no gap", async ({ one }) => {
    assert.equal(await one.log.read(fresh("log")), { entries: [], gap: false })
  })
  test("log: a log keeps only its newest entries, and read() reports a gap if entries after an id are gone", async ({
    one,
  }) => {
    const name = fresh("log")
    const ids = await fill(one, name, 10, 4)
    const seen = []
    for (const after of ids) {
      const { entries, gap } = await one.log.read(name, { after })
      seen.push([readData(entries).length, gap])
    }
    // The seventh to the tenth entries follow the sixth, and they are stored.
    assert.equal(seen, [...Array.from({ length: 5 }, () => [4, true]), ...[4, 3, 2, 1, 0].map((left) => [left, false])])
    assert.equal(readData((await one.log.read(name)).entries), [7, 8, 9, 10])
  })
  test("log: read() reports a gap if its option after is not an id of the log", async ({ one }) => {
    const name = fresh("log")
    const [first = ""] = await fill(one, name, 3)
    const [other = ""] = await fill(one, fresh("log"), 1)
    const future = first.replace(/\d+$/, "99")
    for (const after of ["", "x", "1-1", "9".repeat(40), "-", "0-0", other, future, "*", "$", 7 as unknown as string]) {
      const { entries, gap } = await one.log.read(name, { after })
      assert.is(gap, true, after)
      if (after !== future) assert.equal(readData(entries), [1, 2, 3], after)
    }
    assert.is((await one.log.read(fresh("log"), { after: first })).gap, true)
  })
  test("log: a log ends after its time to live, and its ids are not used again", async ({ one }) => {
    const name = fresh("log")
    const [id = ""] = [await one.log.append(name, "old", { ttl: 0.03 })]
    await until(async () => (await one.log.read(name)).entries.length === 0)
    await one.log.append(name, "new")
    const { entries, gap } = await one.log.read(name, { after: id })
    assert.equal([readData(entries), gap], [["new"], true])
  })
  test("log: entries that two processes append at the same time have the same order for both", async ({ one, two }) => {
    const name = fresh("log")
    const appends = Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).log.append(name, index))
    const ids = await Promise.all(appends)
    const { entries } = await one.log.read(name)
    assert.equal(new Set(ids).size, 60)
    assert.equal(entries.map(({ id }) => id).sort(), [...ids].sort())
    const byID = new Map(entries.map((entry) => [entry.id, entry.data]))
    for (const [index, id] of ids.entries()) assert.is(byID.get(id), index)
    for (const [index, { id }] of entries.entries())
      assert.equal((await two.log.read(name, { after: id, limit: 1 })).entries, entries.slice(index + 1, index + 2))
  })
  test("log: a maxEntries or limit that is not valid is an error", async ({ one }) => {
    for (const maxEntries of [0, -1, 1.5, 2_000_000])
      await rejects(() => one.log.append("log", 1, { maxEntries }), "store")
    for (const limit of [0, -1, 1.5]) await rejects(() => one.log.read("log", { limit }), "store")
  })
}

/** Tests of how `postgresStore()` uses its pool. `tests/slow/store-postgres.test.ts` tests it with real servers. */
import { EventEmitter } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { postgresStore } from "../../../lib/store/postgres.ts"

type Callback = (error: unknown, result: { readonly rows: readonly unknown[] }) => void

/** The pools that stores have created. */
const pools: CountingPool[] = []

class FakeClient extends EventEmitter {
  isBroken = false
  query(text: string, _values?: readonly unknown[], callback?: Callback): unknown {
    const rows = [{ found: "fw_message", value: JSON.stringify(text.slice(0, 6)) }]
    if (!callback) return Promise.resolve({ rows })
    setImmediate(() => (this.isBroken ? callback(new Error("it has ended"), { rows }) : callback(null, { rows })))
    return undefined
  }
}

class CountingPool extends EventEmitter {
  readonly Client = FakeClient
  readonly options: object
  readonly idle: FakeClient[] = []
  readonly all: FakeClient[] = []
  connects = 0
  constructor(options: object) {
    super()
    this.options = options
    pools.push(this)
  }
  async connect(): Promise<FakeClient> {
    this.connects += 1
    let client = this.idle.pop()
    if (!client) {
      client = new FakeClient()
      this.all.push(client)
      this.emit("connect", client)
    }
    const taken = client
    return Object.assign(taken, {
      release: (isBroken: boolean) => {
        if (!isBroken) this.idle.push(taken)
      },
    })
  }
  async end(): Promise<void> {}
}

/** Returns a store that has created its tables, and its pool, in which all connections are free. */
async function start(options: object = {}) {
  const store = postgresStore(new CountingPool(options))
  await store.kv.get("tables")
  const pool = pools.at(-1) as CountingPool
  await givenBack(pool)
  pool.connects = 0
  return { store, pool, get: () => store.kv.get("key") }
}

async function givenBack(pool: CountingPool): Promise<void> {
  while (pool.idle.length < pool.all.filter(({ isBroken }) => !isBroken).length)
    await new Promise((resolve) => setTimeout(resolve))
}

test("waiting calls get the connection of a call that has ended, so the pool is asked once per connection", async () => {
  const { pool, get } = await start({ max: 4 })
  const all = await Promise.all(Array.from({ length: 64 }, get))
  assert.equal([...new Set(all)], ["SELECT"])
  assert.equal([pool.all.length, pool.connects], [4, 4])
  await givenBack(pool)
  assert.is(pool.idle.length, 4)
})

for (const [options, most] of [
  [{ max: 1 }, 100],
  [{ max: 1, maxUses: 7 }, 1],
] as const)
  test(`with ${JSON.stringify(options)} a connection goes back to the pool after ${most} of its calls`, async () => {
    const { pool, get } = await start(options)
    await Promise.all(Array.from({ length: 300 }, get))
    assert.is(pool.connects, 300 / most)
  })

test("a connection that ends between two calls is not used again", async () => {
  const { pool, get, store } = await start({ max: 1 })
  const [first] = pool.all
  assert.is(await get(), "SELECT")
  Object.assign(first as FakeClient, { isBroken: true })
  first?.emit("error", new Error("it has ended"))
  // A call that writes is not repeated, so on a broken connection it would fail.
  await store.kv.set("key", 1)
  assert.is(pool.all.length, 2)
})

test("a call that reads is repeated on another connection if its own one ends", async () => {
  const { pool, get, store } = await start({ max: 1 })
  const [first] = pool.all
  Object.assign(first as FakeClient, { isBroken: true })
  assert.equal(await Promise.all([get(), get()]), ["SELECT", "SELECT"])
  assert.is(pool.all.length, 2)
  Object.assign(pool.all[1] as FakeClient, { isBroken: true })
  const code = await store.kv.set("key", 1).catch((error) => error.code)
  assert.is(code, "store_unknown", "a call that writes was sent again")
})

test.run()

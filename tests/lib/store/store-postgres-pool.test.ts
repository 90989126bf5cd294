/** Tests of how `postgresStore()` uses its pool. `tests/slow/store-postgres.test.ts` tests it with real servers. */
import { EventEmitter } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { postgresStore } from "../../../lib/store/postgres.ts"

/** The pools that stores have created. */
const pools: FakePool[] = []

class FakeClient extends EventEmitter {
  isBroken = false
  async query(text: string) {
    if (this.isBroken) throw new Error("it has ended")
    return { rows: [{ found: "fw_message", value: JSON.stringify(text.slice(0, 6)) }] }
  }
}

class FakePool extends EventEmitter {
  readonly Client = FakeClient
  readonly options: object
  readonly idle: FakeClient[] = []
  readonly all: FakeClient[] = []
  constructor(options: object) {
    super()
    this.options = options
    pools.push(this)
  }
  async connect(): Promise<FakeClient> {
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

/** Returns a store that has created its tables, and its pool. */
async function start(options: object = {}) {
  const store = postgresStore(new FakePool(options))
  await store.kv.get("tables")
  const pool = pools.at(-1) as FakePool
  return { store, pool, get: () => store.kv.get("key") }
}

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

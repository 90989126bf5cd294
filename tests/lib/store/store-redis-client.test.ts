/** Tests of how `redisStore()` uses its client. `tests/slow/store-redis.test.ts` tests it with real servers. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { redisStore } from "../../../lib/store/redis.ts"
import { rejects } from "../../support/store/contract.ts"

/** A client of a Redis server that refuses writes. */
class ReplicaClient {
  readonly isReady = true
  opened = 0
  duplicate(): unknown {
    const one = { isReady: true, on() {}, destroy() {} }
    return {
      ...one,
      connect: async () => {
        this.opened += 1
      },
      sendCommand: async () => {
        throw new Error("READONLY You can't write against a read only replica.")
      },
    }
  }
  sendCommand(): void {}
}

/** Runs a function with timers that end at once. Returns the milliseconds for which they were set. */
async function withoutWaiting(run: () => Promise<unknown>): Promise<readonly number[]> {
  const { setTimeout: usual } = globalThis
  const waits: number[] = []
  const atOnce = (body: () => void, wait = 0) => {
    waits.push(wait)
    // The longer time limits of calls are not shortened.
    return usual(body, wait < 2_000 ? 0 : wait)
  }
  globalThis.setTimeout = atOnce as typeof setTimeout
  try {
    await run()
  } finally {
    globalThis.setTimeout = usual
  }
  return waits.filter((wait) => wait > 0 && wait < 2_000)
}

test("if a server only reads, new connections are tried less and less often", async () => {
  const client = new ReplicaClient()
  const store = redisStore(client)
  const waits = await withoutWaiting(async () => {
    for (let call = 0; call < 8; call++) await rejects(() => store.kv.set("key", 1), "store_unavailable")
  })
  assert.is(client.opened, 8)
  assert.equal(waits, [25, 50, 100, 200, 400, 500, 500])
  await store.close()
})

test("a prefix that is not valid is an error that names the prefix", () => {
  for (const prefix of ["", "\u0000", "x".repeat(129)])
    assert.throws(() => redisStore(new ReplicaClient(), { prefix }), /redisStore\(\) was given .* as the prefix/)
})

test.run()

/** The contract of every engine of `fw/store`. One suite runs on all of them. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Capability, Store } from "../../../lib/store/types.ts"
import { logClaims } from "./contract-log.ts"
import { topicClaims } from "./contract-topic.ts"
import { until } from "./until.ts"

/** The state of an engine, while a suite runs. */
export interface Shared<Has extends Capability> {
  /** Opens a store as another process would: with its own connections, on the same state. */
  open(): Store<Has>
  /** Releases what the engine uses, such as its server. */
  end(): Promise<void>
}

/** The two stores of a suite, which share their state. */
export interface Stores<Has extends Capability> {
  readonly one: Store<Has>
  readonly two: Store<Has>
}

/** All types of plain data, with texts that engines often get wrong. */
export const data: readonly unknown[] = [
  ...["", "text", "\u0000 and \u0007", "half \ud83d of a pair", "'; DROP TABLE fw_kv; --", "日本 🎉", '"'],
  ...[0, -1.5, 1e300, 9_007_199_254_740_991, true, false, null, [], {}],
  { nested: [{ deep: [null, "x"] }], "10": 1, "9": 2, __proto__x: 1 },
  "long ".repeat(20_000),
]

let numbers = 0
/** Returns a key that no other test uses. */
export const fresh = (name = "key") => `${name} ${process.pid} ${++numbers}`

const code = (wanted: string) => (error: unknown) => (error as { code?: unknown }).code === wanted

/** Checks that a call is rejected with a code. */
export async function rejects(run: () => Promise<unknown>, wanted: string): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (code(wanted)(error)) return
    throw error
  }
  assert.unreachable(`the call was not rejected, but the error ${wanted} was expected`)
}

type Test<Has extends Capability> = (title: string, body: (stores: Stores<Has>) => Promise<void>) => void

/** Adds the tests of each capability that an engine has. */
export function driveStore<Has extends Capability>(
  name: string,
  capabilities: readonly Has[],
  start: () => Promise<Shared<Has>>,
): void {
  const tests = suite(`store: ${name}`)
  let shared: Shared<Has>
  let stores: Stores<Has>
  tests.before(async () => {
    shared = await start()
    stores = { one: shared.open(), two: shared.open() }
  })
  tests.after(async () => {
    await Promise.all([stores?.one.close(), stores?.two.close()])
    await shared?.end()
  })
  const test: Test<Has> = (title, body) => tests(title, () => body(stores))

  test("a store lists exactly its capabilities", async ({ one }) => {
    assert.equal([...one.capabilities].sort(), [...capabilities].sort())
  })
  kvClaims(test as unknown as Test<"kv">)
  argumentClaims(test as unknown as Test<"kv">)
  counterClaims(test as unknown as Test<"counter">)
  const has = (name: Capability) => (capabilities as readonly Capability[]).includes(name)
  if (has("lock")) lockClaims(test as unknown as Test<"lock">)
  if (has("log")) logClaims(test as unknown as Test<"log">)
  if (has("topic")) topicClaims(test as unknown as Test<"topic">)
  else
    test("a store without topics throws when its property topic is read", async ({ one }) => {
      assert.throws(() => (one as unknown as Store).topic, code("store"))
    })
  tests("calls after close() are rejected, except another close()", async () => {
    const store = shared.open() as unknown as Store
    await store.kv.get("any")
    await store.close()
    await rejects(() => store.kv.get("any"), "store")
    await rejects(() => store.counter.hit("any", 1), "store")
    await store.close()
  })
  tests.run()
}

/** Adds the tests of values. They also apply to a program's own `kv`. */
export function kvClaims(test: Test<"kv">): void {
  test("kv: a value of every type is read as it was set, by another process too", async ({ one, two }) => {
    for (const value of data) {
      const key = fresh()
      await one.kv.set(key, value)
      assert.equal(await two.kv.get(key), JSON.parse(JSON.stringify(value)))
    }
  })
  test("kv: get() of a missing value is undefined, and delete() of a missing value is false", async ({ one }) => {
    assert.is(await one.kv.get(fresh()), undefined)
    assert.is(await one.kv.delete(fresh()), false)
  })
  test("kv: set() replaces a value, and delete() deletes it, for every process", async ({ one, two }) => {
    const key = fresh()
    await one.kv.set(key, 1)
    await two.kv.set(key, 2)
    assert.is(await one.kv.get(key), 2)
    assert.is(await one.kv.delete(key), true)
    assert.is(await two.kv.get(key), undefined)
  })
  test("kv: a value ends after its time to live, and a new value without a time to live does not end", async ({
    one,
  }) => {
    const [short, kept, also] = [fresh(), fresh(), fresh()]
    // The time is long enough to replace the value on a busy machine. The value that expires is set last, so the
    // time of the others is over too.
    await one.kv.set(kept, "kept", { ttl: 0.3 })
    await one.kv.set(kept, "kept")
    await one.kv.compareAndSet(also, undefined, "also", { ttl: 0.3 })
    await one.kv.compareAndSet(also, "also", "also")
    await one.kv.set(short, "short", { ttl: 0.3 })
    await until(async () => (await one.kv.get(short)) === undefined)
    assert.is(await one.kv.delete(short), false)
    assert.is(await one.kv.get(kept), "kept")
    assert.is(await one.kv.get(also), "also")
  })
  const changes: ReadonlyArray<
    readonly [current: unknown, expected: unknown, value: unknown, done: boolean, after: unknown]
  > = [
    [undefined, undefined, 1, true, 1],
    [undefined, 1, 2, false, undefined],
    [undefined, undefined, undefined, true, undefined],
    [1, undefined, 2, false, 1],
    [1, 1, 2, true, 2],
    [1, "1", 2, false, 1],
    [1, 1, undefined, true, undefined],
    [1, 2, undefined, false, 1],
    [{ a: [1, "é"] }, { a: [1, "é"] }, "x", true, "x"],
    ["", "", "x", true, "x"],
    [null, null, "x", true, "x"],
  ]
  for (const [current, expected, value, done, after] of changes) {
    const show = (one: unknown) => JSON.stringify(one) ?? "nothing"
    test(`kv: compareAndSet() ${done ? "changes" : "does not change"} ${show(current)} to ${show(value)} if it expects ${show(expected)}`, async ({
      one,
      two,
    }) => {
      const key = fresh()
      if (current !== undefined) await one.kv.set(key, current)
      assert.is(await two.kv.compareAndSet(key, expected, value), done)
      assert.equal(await one.kv.get(key), after)
    })
  }
  test("kv: compareAndSet() treats a value that has ended as missing", async ({ one }) => {
    const key = fresh()
    await one.kv.set(key, "old", { ttl: 0.02 })
    await until(() => one.kv.compareAndSet(key, undefined, "new"))
    assert.is(await one.kv.get(key), "new")
  })
  test("kv: no change is lost if two processes make changes with compareAndSet() at the same time", async ({
    one,
    two,
  }) => {
    const key = fresh()
    const add = async ({ kv }: Store<"kv">) => {
      for (;;) {
        const count = await kv.get<number>(key)
        if (await kv.compareAndSet(key, count, (count ?? 0) + 1)) return
      }
    }
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(index % 2 ? one : two)))
    assert.is(await one.kv.get(key), 40)
  })
  test("kv: a key may contain special characters, and two keys are different even if they differ only in case or in a space", async ({
    one,
  }) => {
    const keys = ["a", "A", "a ", "a:b", "a*", "%61", "ключ", "ключ\n", "é".repeat(512), "__proto__", "\u0001"]
    for (const key of keys) await one.kv.set(key, key)
    for (const key of keys) assert.is(await one.kv.get(key), key)
  })
}

function argumentClaims(test: Test<"kv">): void {
  test("an invalid key, value or time to live is an error", async ({ one }) => {
    const wrong = ["", "x".repeat(513), "a\u0000", "\ud83d", 7, undefined] as string[]
    for (const key of wrong) {
      await rejects(() => one.kv.get(key), "store")
      await rejects(() => (one as unknown as Store).counter.hit(key, 60), "store")
    }
    const lossy = [
      Number.NaN,
      [Number.POSITIVE_INFINITY],
      { cart: new Map([["tea", 2]]) },
      new Set(),
      { user: Promise.resolve(1) },
    ]
    for (const value of [undefined, () => 1, 1n, Symbol("x"), ...lossy])
      await rejects(() => one.kv.set("key", value), "store")
    for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "1" as unknown as number])
      await rejects(() => one.kv.set("key", 1, { ttl }), "store")
  })
}

function counterClaims(test: Test<"counter">): void {
  test("counter: hits of a key are counted together, from every process", async ({ one, two }) => {
    const key = fresh()
    assert.is((await one.counter.hit(key, 60)).count, 1)
    assert.is((await two.counter.hit(key, 60)).count, 2)
    assert.is((await one.counter.hit(fresh(), 60)).count, 1)
    const { count, reset } = await one.counter.hit(key, 60)
    assert.is(count, 3)
    assert.ok(reset > 0 && reset <= 60, `the window ends in ${reset} seconds`)
  })
  test("counter: after the end of a window the count begins again", async ({ one }) => {
    const key = fresh()
    await one.counter.hit(key, 0.05)
    await until(async () => (await one.counter.hit(key, 0.05)).count === 1)
  })
  test("counter: a window that would end later than its length, as after a clock was set back, ends after its length", async ({
    one,
    two,
  }) => {
    const key = fresh()
    await one.counter.hit(key, 3600)
    const { count, reset } = await two.counter.hit(key, 0.05)
    assert.is(count, 2, "a hit was lost")
    assert.ok(reset <= 0.05, `the window ends in ${reset} seconds`)
    await until(async () => (await one.counter.hit(key, 0.05)).count === 1)
  })
  test("counter: concurrent hits from two processes are counted exactly", async ({ one, two }) => {
    const key = fresh()
    const hits = Array.from({ length: 300 }, (_, index) => (index % 2 ? one : two).counter.hit(key, 60))
    const counts = (await Promise.all(hits)).map(({ count }) => count).sort((a, b) => a - b)
    assert.equal(
      counts,
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
  })
}

function lockClaims(test: Test<"lock">): void {
  test("lock: a lock has one holder at a time, and each new token is larger than the earlier ones", async ({
    one,
    two,
  }) => {
    const key = fresh()
    const token = (await one.lock.acquire(key, 60)) as number
    assert.is(await two.lock.acquire(key, 60), undefined)
    assert.is(await one.lock.acquire(key, 60), undefined)
    assert.is(await two.lock.renew(key, token - 1, 60), false)
    assert.is(await two.lock.release(key, token - 1), false)
    assert.is(await two.lock.renew(key, token, 60), true)
    assert.is(await one.lock.release(key, token), true)
    assert.is(await one.lock.release(key, token), false)
    const other = (await two.lock.acquire(fresh(), 60)) as number
    const next = (await two.lock.acquire(key, 60)) as number
    assert.ok(token < other && other < next, `the tokens ${token}, ${other} and ${next} do not grow`)
    assert.ok(Number.isSafeInteger(next))
  })
  test("lock: only one of several concurrent callers gets the lock", async ({ one, two }) => {
    const key = fresh()
    const calls = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).lock.acquire(key, 60))
    assert.is((await Promise.all(calls)).filter((token) => token !== undefined).length, 1)
  })
  test("lock: a lock ends with its lease, and its old holder cannot renew or release the lock of the next holder", async ({
    one,
    two,
  }) => {
    const key = fresh()
    const old = (await one.lock.acquire(key, 0.05)) as number
    let token: number | undefined
    await until(async () => {
      token = await two.lock.acquire(key, 60)
      return token !== undefined
    })
    assert.ok((token as number) > old)
    assert.is(await one.lock.renew(key, old, 60), false)
    assert.is(await one.lock.release(key, old), false)
    assert.is(await two.lock.renew(key, token as number, 60), true)
  })
}

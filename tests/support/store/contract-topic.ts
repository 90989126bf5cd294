/** The contract of every engine that has topics. */
import * as assert from "uvu/assert"
import type { Store, Subscriber } from "../../../lib/store/types.ts"
import { data, fresh, rejects } from "./contract.ts"
import { until } from "./until.ts"

type Test = (
  title: string,
  body: (stores: { readonly one: Store<"topic">; readonly two: Store<"topic"> }) => Promise<void>,
) => void

/** Returns a subscriber that collects what it gets. */
export function collector(): Subscriber & { readonly seen: unknown[]; readonly gaps: number } {
  const seen: unknown[] = []
  let gaps = 0
  return {
    seen,
    get gaps() {
      return gaps
    },
    message: (message) => void seen.push(message),
    gap: () => void gaps++,
  }
}

/** Adds the tests of topics. */
export function topicClaims(test: Test): void {
  test("topic: messages with data of every type reach every process in the order in which they were published", async ({
    one,
    two,
  }) => {
    const topic = fresh("topic")
    const [own, other] = [collector(), collector()]
    await one.topic.subscribe(topic, own)
    await two.topic.subscribe(topic, other)
    for (const value of data) await one.topic.publish(topic, value)
    await until(() => own.seen.length >= data.length && other.seen.length >= data.length)
    const sent = JSON.parse(JSON.stringify(data))
    assert.equal(own.seen, sent)
    assert.equal(other.seen, sent)
    assert.is(own.gaps + other.gaps, 0)
  })
  test("topic: large and small messages arrive in the order in which they were published", async ({ one, two }) => {
    const topic = fresh("topic")
    const subscriber = collector()
    await two.topic.subscribe(topic, subscriber)
    const sent = Array.from({ length: 30 }, (_, index) => (index % 3 ? index : `${index} `.repeat(6_000)))
    for (const value of sent) await one.topic.publish(topic, value)
    await until(() => subscriber.seen.length >= sent.length)
    assert.equal(subscriber.seen, sent)
  })
  test("topic: a subscriber gets no messages of other topics, and none after its subscription has ended", async ({
    one,
    two,
  }) => {
    const [topic, other] = [fresh("topic"), fresh("topic")]
    const [ended, kept] = [collector(), collector()]
    const end = await two.topic.subscribe(topic, ended)
    await two.topic.subscribe(topic, kept)
    await one.topic.publish(other, "other")
    await one.topic.publish(topic, 1)
    await until(() => ended.seen.length > 0 && kept.seen.length > 0)
    await end()
    await end()
    await one.topic.publish(topic, 2)
    await until(() => kept.seen.length > 1)
    assert.equal([ended.seen, kept.seen], [[1], [1, 2]])
    const again = collector()
    await two.topic.subscribe(topic, again)
    await one.topic.publish(topic, 3)
    await until(() => again.seen.length > 0)
    assert.equal(again.seen, [3])
  })
  test("topic: a subscriber with two subscriptions to a topic still gets each message once after one of them has ended", async ({
    one,
  }) => {
    const topic = fresh("topic")
    const subscriber = collector()
    const end = await one.topic.subscribe(topic, subscriber)
    await one.topic.subscribe(topic, subscriber)
    await end()
    await one.topic.publish(topic, 1)
    await one.topic.publish(topic, 2)
    await until(() => subscriber.seen.length > 1)
    assert.equal(subscriber.seen, [1, 2])
  })
  test("topic: a subscriber that throws does not prevent others from getting their messages", async ({ one }) => {
    const topic = fresh("topic")
    const bad: Subscriber = {
      message() {
        throw new Error("a subscriber that throws, on purpose")
      },
      gap() {},
    }
    const subscriber = collector()
    await one.topic.subscribe(topic, bad)
    await one.topic.subscribe(topic, { ...bad, message: async () => bad.message(0) })
    await one.topic.subscribe(topic, subscriber)
    await one.topic.publish(topic, 1)
    await one.topic.publish(topic, 2)
    await until(() => subscriber.seen.length > 1)
  })
  test("topic: an object without message() and gap() is refused as a subscriber", async ({ one }) => {
    for (const wrong of [undefined, {}, () => {}, { message() {} }])
      await rejects(() => one.topic.subscribe("topic", wrong as unknown as Subscriber), "store")
  })
}

/**
 * Tests of the number of promises that compiled templates create: none without `await`, otherwise only those of
 * functions that await.
 */
import { createHook } from "node:async_hooks"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Html } from "../../lib/html.ts"
import { load } from "../fixtures/template/render.ts"

const templates = await load(`
template Item(n: number) { <li class={["item", n % 2 === 0 && "even"]} data-n={n}>{n}</li> }
template Box(title: string) { <section><h2>{title}</h2>{children}</section> }
template Sync(ns: readonly number[]) {
  {Box("A") { <ul>{for (const n of ns) {{Item(n)}} else {<li>none</li>}}</ul> }}
  {if (ns.length > 1) {<p>{ns.length}</p>} else {<p>one</p>}}
}
template Branch(ns: readonly number[], late: Promise<string> | undefined) {
  {Box("A") { <ul>{for (const n of ns) {{Item(n)}}}</ul> }}
  {if (late) {<p>{await late}</p>}}
}
template Lines(ns: readonly number[]) {
  <ul>{for (const n of ns) {<li>{await n}</li>}}</ul>
}
`)

/** Returns the number of promises that a template creates until it returns, and its result. */
function countPromises(name: string, ...values: readonly unknown[]): { count: number; result: unknown } {
  let count = 0
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") count++
    },
  })
  hook.enable()
  const result: unknown = templates[name]?.(...values)
  hook.disable()
  return { count, result }
}

const many = Array.from({ length: 200 }, (_, at) => at)
const lists = [[], [1], many]

test("a template without await returns markup and creates no promise, however much it prints", () => {
  for (const ns of lists) {
    const { count, result } = countPromises("Sync", ns)
    assert.is(count, 0)
    assert.instance(result, Html)
  }
})

test("a template that reaches no await creates one promise, that of its result", async () => {
  for (const [name, ns] of [...lists.map((ns) => ["Branch", ns] as const), ["Lines", []] as const]) {
    const { count, result } = countPromises(name, ns, undefined)
    assert.is(count, 1)
    assert.instance(await result, Html)
  }
})

test("a template that reaches several awaits creates more than one promise", async () => {
  const { count, result } = countPromises("Lines", many)
  assert.ok(count > 1)
  assert.match(String(await result), /<li>199<\/li>/)
})

test.run()

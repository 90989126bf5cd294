/** Tests of the answers that a program passes to `fw dev` to compare them with their types. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { ProgramSources } from "../../../bin/dev/bundle/program-sources.ts"
import { limitPerSecond, watchAnswers } from "../../../bin/dev/types/sent-answers.ts"
import type { SentAnswer } from "../../../bin/validators/answers/answers.ts"
import { App } from "../../../lib/app.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"

const test = suite("answers of a program")
let passed: SentAnswer[] = []
let isOwn = true
const sources = { findPlace: () => (isOwn ? { file: "app/a/route.ts", line: 3, column: 9 } : undefined) }

test.before.each(() => {
  passed = []
  isOwn = true
  const onAnswer = watchAnswers({
    sources: () => sources as unknown as ProgramSources,
    report: (answer) => passed.push(answer),
    runLater: (work) => work(),
  })
  setDevHooks({ onAnswer })
})
test.after(() => setDevHooks(undefined))

/** Returns the body of an answer with this data. */
async function getAnswer(data: unknown): Promise<string> {
  const app = new App({ logger: false })
  app.get("/a", (c) => c.json(200, data))
  const response = await app.request("/a")
  assert.is(response.status, 200)
  return response.text()
}

test("an answer is passed on with its route, its status, its body and the position of its call", async () => {
  await getAnswer({ id: 1 })
  const at = { file: "app/a/route.ts", line: 3, column: 9 }
  assert.equal(passed, [{ method: "GET", pattern: "/a", status: 200, text: '{"id":1}', at }])
})

test("an answer that loses a part in JSON is an error", async () => {
  const fixes: unknown[] = []
  const app = new App({ logger: false })
  app.onError((c, error) => {
    fixes.push((error as { fix?: unknown }).fix)
    return c.string(500, error instanceof Error ? error.message : "")
  })
  const answers: readonly (readonly [() => unknown, string, RegExp])[] = [
    [async () => 1, "a promise", /await before the call/],
    [() => ({ user: Promise.resolve(1) }), "a promise at user", /await before the call/],
    [() => [1].map(async (id) => id), "a promise at [0]", /Promise\.all/],
    [() => ({ pages: [{ users: [1].map(async (id) => id) }] }), "a promise at pages[0].users[0]", /Promise\.all/],
    [() => new Map([["a", 1]]), "a Map", /^Send Object\.fromEntries\(map\)\.$/],
    [() => [[{ a: { "b c": new Map() } }]], "a Map at [0][0].a.b c", /^Send/],
    [() => ({ ratio: Number.NaN, tags: { all: new Set(["a"]) } }), "a Set at tags.all", /^Send \[\.\.\.set\]\.$/],
  ]
  for (const [at, [answer]] of answers.entries()) app.get(`/${at}`, (c) => c.json(200, answer()))
  for (const [at, [, what, fix]] of answers.entries()) {
    assert.is(await (await app.request(`/${at}`)).text(), `c.json() got ${what}, which is {} in JSON`)
    assert.match(String(fixes[at]), fix)
  }
  assert.equal(passed, [])
})

test("empty objects, NaN and objects with their own JSON form are sent", async () => {
  class Tags extends Set<string> {
    toJSON() {
      return [...this]
    }
  }
  assert.is(await getAnswer({ a: {}, b: Number.NaN, c: new Tags(["x"]) }), '{"a":{},"b":null,"c":["x"]}')
})

test("the lists of a large body are shortened, and a body that is still too large is left out", async () => {
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id }))
  const whole = await getAnswer({ items })
  assert.is(JSON.parse(whole).items.length, 50_000)
  assert.equal(JSON.parse(passed[0]?.text ?? ""), { items: items.slice(0, 100) })
  await getAnswer({ text: "x".repeat(300_000) })
  assert.is(passed[1]?.text, null)
})

test("an answer of a package is not passed on, and a toJSON() that throws later changes nothing", async () => {
  isOwn = false
  await getAnswer({ id: 1 })
  let calls = 0
  const once = {
    toJSON() {
      calls += 1
      if (calls > 1) throw new Error("only once")
      return "x".repeat(300_000)
    },
  }
  isOwn = true
  assert.is((await getAnswer(once)).length, 300_002)
  assert.equal(passed, [])
})

test("under load some answers are left out", async () => {
  const runLater = limitPerSecond(2)
  let count = 0
  for (let i = 0; i < 10; i++)
    runLater(() => {
      count += 1
    })
  assert.is(count, 0)
  await new Promise((resolve) => setImmediate(resolve))
  // A second may have ended meanwhile, so more answers may have been passed on.
  assert.ok(count >= 2 && count <= 4, `${count} answers were passed on`)
})

test.run()

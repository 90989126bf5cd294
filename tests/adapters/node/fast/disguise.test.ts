/** Tests that the replacement of a Response on Node has all members of a Response, and is an instance of it. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { imitateResponse } from "../../../../adapters/node/fast/imitate-response.ts"

class StandIn {
  get status(): number {
    return 201
  }
}
imitateResponse(StandIn.prototype, () => new Response("text", { status: 201, headers: { "x-a": "1" } }))

class Other {}

const members: [name: string, see: (r: Response) => unknown, expected: unknown][] = [
  ["status", (r) => r.status, 201],
  ["then", (r) => (r as unknown as { then?: unknown }).then, undefined],
  ["instanceof", (r) => [r instanceof Response, r instanceof Object, r instanceof Other], [true, true, false]],
  ["Response.prototype", (r) => Object.prototype.isPrototypeOf.call(Response.prototype, r), true],
  ["constructor", (r) => r.constructor === Response, true],
  ["headers", (r) => r.headers.get("x-a"), "1"],
  ["a method", (r) => r.clone().status, 201],
  ["in", (r) => ["headers" in r, "then" in r], [true, false]],
  ["what a program adds", (r) => Object.assign(r, { mine: 1 }).mine, 1],
  ["its type", (r) => Object.prototype.toString.call(r), "[object Response]"],
  [
    "for in",
    (r) => {
      const keys: string[] = []
      for (const key in r) keys.push(key)
      return ["status", "headers", "clone", "then", "constructor"].map((key) => keys.includes(key))
    },
    [true, true, true, false, false],
  ],
]

for (const [name, see, expected] of members)
  test(name, () => assert.equal(see(new StandIn() as unknown as Response), expected))

test.run()

/** Tests of bugs in the log: the text is complete, whatever was thrown, and no line of it looks like a request. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FwError } from "../../../lib/errors.ts"
import { formatBug } from "../../../lib/log/error-report.ts"

function circular(): Error {
  const error = new Error("a")
  error.cause = new Error("b", { cause: error })
  return error
}

function withStack(error: Error, stack: unknown): Error {
  Object.defineProperty(error, "stack", { value: stack })
  return error
}

const throwing = {
  get message(): string {
    throw new Error("no")
  },
  toJSON() {
    throw new Error("no")
  },
}
const hostile = new Proxy(new Error("x"), {
  get() {
    throw new Error("no")
  },
  ownKeys() {
    throw new Error("no")
  },
  getPrototypeOf() {
    throw new Error("no")
  },
})
const loop: { self?: unknown } = {}
loop.self = loop

const table: [name: string, thrown: unknown, expected: RegExp][] = [
  ["an error", new TypeError("boom"), /^TypeError: boom\n {4}at .*logger-bug\.test/],
  ["an error without message", new RangeError(), /^RangeError\n {4}at /],
  ["an error whose message changed", Object.assign(new Error("old"), { message: "new" }), /^Error: new\n {4}at /],
  ["an error without stack", withStack(new Error("bare"), undefined), /^Error: bare$/],
  [
    "a stack as JavaScriptCore writes it",
    withStack(new Error("x"), "f@file.js:1:2\ng@file.js:3:4"),
    /^Error: x\n {4}f@file\.js:1:2\n {4}g@/,
  ],
  [
    "the simple fields of an error",
    Object.assign(new Error("x"), { code: "ENOENT", errno: -2, big: { secret: 1 } }),
    /\n {4}code: "ENOENT"\n {4}errno: -2$/,
  ],
  [
    "a cause",
    new Error("x", { cause: new Error("y", { cause: "z" }) }),
    /\n {2}caused by Error: y\n[\s\S]*\n {4}caused by thrown: "z"$/,
  ],
  ["a cause of null", new Error("x", { cause: null }), /\n {2}caused by thrown: null$/],
  ["a cycle", circular(), /caused by Error: b[\s\S]*caused by \[circular\]$/],
  [
    "an AggregateError",
    new AggregateError([new Error("one"), "two"], "all"),
    /^AggregateError: all\n[\s\S]*\n {2}\[0\] Error: one\n[\s\S]*\n {2}\[1\] thrown: "two"$/,
  ],
  [
    "an AggregateError of thousands of errors",
    new AggregateError(
      Array.from({ length: 5000 }, () => new Error("x")),
      "all",
    ),
    /… 4951 more$/,
  ],
  ["an FwError", new FwError("c", "what", "Fix it."), /^FwError: what\n[\s\S]*code: "c"\n {4}fix: "Fix it\."$/],
  ["null", null, /^thrown: null$/],
  ["undefined", undefined, /^thrown: undefined$/],
  ["a string", "boom", /^thrown: "boom"$/],
  ["a number", 5, /^thrown: 5$/],
  ["a bigint", 5n, /^thrown: 5$/],
  ["a symbol", Symbol("s"), /^thrown: Symbol\(s\)$/],
  ["a function", () => 1, /^thrown: \(\) => 1$/],
  ["an object", { a: 1 }, /^thrown: \{"a":1\}$/],
  ["an error of another realm", { name: "Error", message: "x", stack: "Error: x\n    at y" }, /^Error: x\n {4}at y$/],
  ["an object that contains itself", loop, /^thrown: \(a value that cannot be shown\)$/],
  ["an object with throwing getters", throwing, /^thrown: \(a value that cannot be shown\)$/],
  ["a hostile proxy", hostile, /^thrown: \(a value that cannot be shown\)$/],
  ["an object without prototype", Object.create(null), /^thrown: \{\}$/],
  ["an object that has no JSON", { toJSON: () => undefined }, /^thrown: \[object Object\]$/],
  [
    "a message of several lines",
    new Error("a\n[12:00:00] GET / 200\nb"),
    /^Error: a\n {4}\[12:00:00\] GET \/ 200\n {4}b\n/,
  ],
  [
    "control characters",
    new Error("a\x1b[2J\r\x9b\u202e\u{e0001}"),
    /^Error: a\\u001b\[2J\\u000d\\u009b\\u202e\\udb40\\udc01\n/,
  ],
  ["a very long message", new Error("x".repeat(100_000)), /^Error: x{8185}… \(91815 more\)\n {4}at /],
]
for (const [name, thrown, expected] of table) {
  test(`formatBug() shows ${name}`, () => {
    const text = formatBug(thrown)
    assert.match(text, expected)
    for (const line of text.split("\n").slice(1)) assert.match(line, /^ {2}/)
  })
}

test("a message that imitates a stack frame is shown once", () => {
  assert.is(formatBug(new Error("x\n    at forged (file.js:1:2)")).split("forged").length, 2)
})

test("the content of an object in a property of an error is not shown", () => {
  assert.not.match(formatBug(Object.assign(new Error("x"), { config: { token: "t0p" } })), /t0p/)
})

test.run()

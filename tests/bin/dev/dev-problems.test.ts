/** Tests of how `fw dev` shows problems, and of the script that shows them in a page. */
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeStyle } from "../../../bin/cli/terminal.ts"
import { clientScript } from "../../../bin/dev/page/client.ts"
import { toProblemAnswer } from "../../../bin/dev/page/problem-page.ts"
import { toEndProblem } from "../../../bin/dev/server/start-problem.ts"
import { toErrorData } from "../../../bin/project/error-data.ts"
import { formatProblem, toCrashProblem } from "../../../bin/project/problems.ts"
import { isAllowedHost } from "../../../bin/system/local-server.ts"
import { packageDirectory } from "../../../bin/system/package.ts"
import { formatCodeFrame } from "../../../template/code-frame.ts"
import { project } from "../../support/bin/cli/command.ts"

const test = suite("fw dev: problems")

test("a code frame shows the numbered lines around a position, with a mark at the right column also after tabs", () => {
  const source = ["one", "two", "\tthree = 3", "four", "five", "six"].join("\r\n")
  assert.is(
    formatCodeFrame(source, { line: 3, column: 2, length: 5 }),
    ["  1 | one", "  2 | two", "> 3 | \tthree = 3", "    | \t^^^^^", "  4 | four", "  5 | five"].join("\n"),
  )
  assert.is(formatCodeFrame("only", { line: 1, column: 9, length: 40 }), "> 1 | only\n    |     ^")
  assert.is(formatCodeFrame("a\nb", { line: 2 }), "  1 | a\n> 2 | b")
  assert.is(formatCodeFrame("a\nb\nc", { line: 3 }, { linesAround: 1 }), "  2 | b\n> 3 | c")
})

test("a code frame shows only the part of a long line around the position", () => {
  const source = `${"a".repeat(99)}!${"b".repeat(99)}`
  for (const room of [20, 40, 80]) {
    const [text = "", mark = ""] = formatCodeFrame(source, { line: 1, column: 100 }, { maxColumns: room }).split("\n")
    assert.is(text[mark.indexOf("^")], "!")
    assert.is(text.length, room + 6)
  }
  assert.is(formatCodeFrame(source, { line: 1, column: 5 }, { maxColumns: 20 }), `> 1 | ${"a".repeat(20)}\n    |     ^`)
})

test("the position of a crash is the first stack frame in the project", () => {
  const stack = [
    "TypeError: no",
    "    at Object.get (file:///p/node_modules/x/index.js:1:1)",
    "    at process.nextTick (node:internal/process:1:1)",
    "    at Get (/p/app/api/[id]/(group)/route.ts:12:34)",
    "    at other (/p/lib/a.ts:1:1)",
  ].join("\n")
  const loader = [
    "    at __init (file:///p/.fw/dev/12/server-3.mjs:10:58)",
    "    at app/page.tpl.ts (/p/.fw/entry.dev.js:6:28)",
    `    at async start (${packageDirectory}dist/bin/dev/server/child.js:49:20)`,
  ]
  const problem = toCrashProblem("/p", { message: "no", stack: [stack, ...loader].join("\n") })
  const { file, line, column, message } = problem
  // Paths are shortened, and frames of Node are left out.
  const shown = stack.split("\n").filter((line) => !line.includes("node:"))
  assert.is(problem.stack, shown.join("\n").replace(/(?:file:\/\/)?\/p\//g, ""))
  assert.equal([file, line, column, message], ["app/api/[id]/(group)/route.ts", 12, 34, "no"])
  assert.is(toCrashProblem("/p", { message: "no", stack: "" }).file, undefined)
  // An error inside of fw has no frame of the project.
  const own = ["FwError: no", "    at mount (/p/node_modules/fw/dist/lib/app.js:1:1)", "    at Array.map (<anonymous>)"]
  assert.is(toCrashProblem("/p", { message: "no", stack: own.join("\n") }).stack, undefined)
})

test("an error that ended the program has a fix if its cause is known", () => {
  const root = project({ "lib/a.ts": "const key = process.env.KEY!\nkey.trim()\nmodule.exports = 1\n" })
  const fixAt = (line: number, message: string) =>
    toEndProblem(root, { message, stack: `${message}\n    at ${join(root, "lib/a.ts")}:${line}:1` }).fix
  assert.match(fixAt(3, "ReferenceError: module is not defined") ?? "", "Modules use export")
  assert.match(fixAt(2, "TypeError: Cannot read properties of undefined (reading 'trim')") ?? "", "KEY is not set")
  assert.is(fixAt(2, "Error: no"), undefined)
})

test("every thrown value has a message", () => {
  const messages = [new TypeError("a"), new Error("b"), "c", null, undefined].map(
    (thrown) => toErrorData(thrown).message,
  )
  assert.equal(messages, ["TypeError: a", "b", "thrown: c", "thrown: null", "thrown: undefined"])
  assert.match(toErrorData({ status: 404, message: "no contact" }).fix ?? "", "throw notFound(")
  assert.is(toErrorData(new Error("b")).fix, undefined)
})

test("a problem is text in the terminal, an escaped page in browsers, and JSON for other clients", () => {
  const problem = { message: "<b>bad</b>", file: "a.ts", line: 1, frame: "> 1 | x", fix: "Fix it." }
  assert.is(formatProblem(problem, makeStyle(false)), "error: <b>bad</b>\n  a.ts:1\n  > 1 | x\n  Fix it.\n")
  const page = toProblemAnswer([problem], "text/html,*/*")
  assert.is(page.status, 500)
  assert.not.match(page.body, "<b>")
  assert.match(page.body, "<code>a.ts:1</code>")
  for (const accept of ["*/*", "", "text/html;q=0", "text/html-x", "application/json, text/html;q=0.5"])
    assert.equal(JSON.parse(toProblemAnswer([problem], accept).body).problems, [problem])
  assert.is(toProblemAnswer([problem], "Text/HTML").body, page.body)
})

const hosts: readonly (readonly [header: string, names: readonly string[], isAllowed: boolean])[] = [
  ["My-Machine.local:3000", ["my-machine.LOCAL"], true],
  ["my-machine.local.", ["my-machine.local"], true],
  ["other.local", ["my-machine.local"], false],
  ["a.tunnel.example", [".tunnel.example"], true],
  ["A.B.tunnel.example:443", ["x", ".Tunnel.example"], true],
  ["tunnel.example", [".tunnel.example"], false],
  ["eviltunnel.example", [".tunnel.example"], false],
  ["a.tunnel.example", ["tunnel.example"], false],
  ["127.0.0.1:3000", [], true],
  ["[::1]:3000", [], true],
  ["x.localhost", [], true],
  ["localhost.example", [], false],
]
for (const [header, names, isAllowed] of hosts) {
  test(`the host ${header} is ${isAllowed ? "allowed" : "refused"} if ${names.join(" and ") || "no other name"} is allowed`, () => {
    assert.is(isAllowedHost(header, names), isAllowed)
  })
}

test("the script of fw dev is valid JavaScript", () => {
  assert.type(new Function(clientScript), "function")
})

test.run()

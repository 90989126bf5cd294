/**
 * Tests of docs/guides/troubleshooting.md: the messages that it quotes are those of fw, and the codes that
 * documents name exist.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { misuses } from "../../lib/messages/misuses.ts"
import { createWrongTypeError } from "../../lib/request/form-type.ts"
import { listFiles } from "../support/structure.ts"
import { root } from "../support/tsc.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const page = read("docs/guides/troubleshooting.md")

/** Messages of other programs. */
const foreign = new Set([
  "Cannot find module './page.tpl.ts'",
  "'../.fw/routes.ts'",
  "Cannot find module '#lib/…'",
  "Argument of type '\"…\"' is not assignable to parameter of type",
  "Refused to execute inline script because it violates the following Content Security Policy directive",
  "Evaluating a string as JavaScript violates the following Content Security Policy directive",
  "error while loading shared libraries: libatomic.so.1",
  "not found",
  "no such file or directory",
  "cannot be opened because the developer cannot be verified",
  "killed",
  "EACCES: permission denied",
  "data/",
  "http:",
])

test("every message in a heading about troubleshooting is a message of fw, or is listed as one of another program", () => {
  const sources = listFiles(["bin", "lib", "template", "adapters"], ".ts").map(read)
  const errors = readdirSync(join(root, "docs/reference/errors")).map((name) => read(`docs/reference/errors/${name}`))
  // These messages are composed at run time.
  const made = [
    ...misuses["handler.result"]("…", undefined),
    ...misuses.status({}),
    createWrongTypeError("application/json", "text/plain").message,
  ]
  const texts = [...sources.map((text) => text.replace(/\$\{[^}]*\}/g, "…")), ...errors, ...made]
  const quoted = [...page.matchAll(/^### .*$/gm)].flatMap(([heading]) =>
    [...heading.matchAll(/`([^`]+)`/g)].map(([, message]) => message as string),
  )
  assert.ok(quoted.length > 20)
  const unknown = quoted.filter((message) => {
    const parts = message.split(/"?…"?/).map((part) => part.trim())
    return !foreign.has(message) && !parts.every((part) => texts.some((text) => text.includes(part)))
  })
  assert.equal(unknown, [])
})

test("every code that a document names with fw help exists", () => {
  const codes = new Set(
    [...read("docs/reference/errors/README.md").matchAll(/^\| \[`(\w+)`\]/gm)].map(([, code]) => code),
  )
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  )
  const named = documents.flatMap((name) =>
    [...read(`docs/${name}`).matchAll(/\bfw help (\w+_\w+)/g), ...page.matchAll(/Code: `(\w+)`/g)].map(
      ([, code]) => code as string,
    ),
  )
  assert.ok(named.length > 3)
  assert.equal(
    [...new Set(named)].filter((code) => !codes.has(code)),
    [],
  )
})

test.run()

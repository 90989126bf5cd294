// Tests of the content mapper of .tpl, called as TypeScript 7.1 calls it. tests/slow/content-mapper.test.ts runs it
// in TypeScript.

import { existsSync, readFileSync } from "node:fs"
import { PassThrough } from "node:stream"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serveMapper } from "../../../bin/mapper/serve.ts"
import { type TransformResult, transform } from "../../../bin/mapper/transform.ts"
import { Connection, errorCodes, ResponseError } from "../../../bin/rpc/connection.ts"
import { random } from "../../support/random.ts"
import { damage, fixtures } from "../../support/template/damage.ts"
import { root } from "../../support/tsc.ts"

/**
 * Checks what TypeScript checks: the mappings are in order in both texts, and the texts that they map to each other
 * are equal.
 */
function checkMappings(source: string, { text, mappings, diagnosticDirectives }: TransformResult): void {
  let end = 0
  for (const [at, length, start, sourceLength, kind] of mappings) {
    assert.ok(at >= end && at + length <= text.length && length === sourceLength && kind === 0)
    assert.is(text.slice(at, at + length), source.slice(start, start + length))
    end = at + length
  }
  for (const [start, length, from, to] of diagnosticDirectives?.directives ?? [])
    assert.is(source.slice(start, start + length), text.slice(from, to))
}

test("the mapper answers every method of the protocol", async () => {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const served = serveMapper(there, back)
  const typescript = new Connection(back, there, { request: () => null, handleNotification: () => {} })
  const call = (method: string, params: object) => typescript.request(method, params)
  assert.equal(await call("initialize", { positionEncodings: ["utf-8", "utf-16"] }), {
    positionEncoding: "utf-16",
    diagnosticSource: "fw",
  })
  assert.equal(await call("openProject", { configFileName: "/a/tsconfig.json", projectHandle: "1" }), {})
  const content = "template Row(name: string) {<li>{name}</li>}\n"
  const result = await call("transform", { fileName: "/a/page.tpl", content, projectHandle: "1" })
  assert.equal(result, JSON.parse(JSON.stringify(transform(content, "/a/page.tpl"))))
  assert.equal(await call("closeProject", { projectHandle: "1" }), {})
  for (const [method, params, code] of [
    ["transform", {}, errorCodes.invalidParams],
    ["other", {}, errorCodes.unknownMethod],
  ] as const) {
    const error = await call(method, params).catch((caught: unknown) => caught)
    assert.ok(error instanceof ResponseError)
    assert.is(error.code, code)
  }
  there.end()
  await served
})

test("the TypeScript of a template contains no source map, and every copied part is mapped", () => {
  for (const source of fixtures) checkMappings(source, transform(source, "/a/page.tpl"))
  const { text, extension } = transform("template A() {a}", "/a/page.tpl")
  assert.is(extension, ".ts")
  assert.not.match(text, "sourceMappingURL")
  assert.match(transform("template A() {<a/>}", "/a/feed.xml.tpl").text, "Xml")
})

test("damaged templates are mapped too", () => {
  const numbers = random(71)
  for (let round = 0; round < 300; round++) {
    const { source } = damage(numbers.pick(fixtures), numbers)
    const result = transform(source, "/a/page.tpl")
    checkMappings(source, result)
    for (const { start, length } of result.diagnostics ?? []) assert.ok(start >= 0 && start + length <= source.length)
  }
})

test("an error has a code, its position and its fix, and hides TypeScript's errors about incomplete code", () => {
  const source = "template Row(row: Row) {\n  <li>{row.</li>\n}\n"
  const { diagnostics, diagnosticDirectives, text } = transform(source, "/a/page.tpl")
  assert.equal(diagnostics, [
    {
      messageText: 'this "{" is never closed\nClose it with "}" before </li>.',
      start: source.indexOf("{row."),
      length: 1,
      code: 1,
    },
  ])
  const [directive] = diagnosticDirectives?.directives ?? []
  assert.is(text.slice(directive?.[2], directive?.[3]), "row.")
})

test("package.json names the program of the content mapper", () => {
  const { typescript } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
    typescript: { contentMapper: { exec: string[] } }
  }
  const [program, script] = typescript.contentMapper.exec
  assert.is(program, "node")
  assert.is(script, "./dist/bin/content-mapper.js")
  assert.ok(existsSync(`${root}/${script}`))
})

test.run()

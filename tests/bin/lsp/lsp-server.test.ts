// Tests of what `fw lsp` does without TypeScript. tests/slow/lsp.test.ts runs it with TypeScript.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { PassThrough } from "node:stream"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { toInitializeResult, toTypeScriptParams } from "../../../bin/lsp/capabilities.ts"
import { joinAnswers } from "../../../bin/lsp/feature.ts"
import type { Position } from "../../../bin/lsp/protocol.ts"
import { LanguageServer } from "../../../bin/lsp/server.ts"
import { SourceText } from "../../../bin/lsp/source-text.ts"
import { TemplateFile } from "../../../bin/lsp/template-file.ts"
import { Connection, errorCodes, type ResponseError } from "../../../bin/rpc/connection.ts"
import { random } from "../../support/random.ts"
import { damage, fixtures } from "../../support/template/damage.ts"

test("positions and offsets match, with all types of line ends", () => {
  const text = new SourceText("a\r\nb\rc\n\n😀 d\u2028e")
  assert.equal(text.positionAt(6), { line: 2, character: 1 })
  for (let offset = 0; offset <= text.value.length; offset++) assert.is(text.offsetAt(text.positionAt(offset)), offset)
  assert.is(text.offsetAt({ line: 99, character: 0 }), text.value.length)
  assert.is(text.offsetAt({ line: -1, character: 5 }), 0)
  assert.is(text.offsetAt({ line: 4, character: 99 }), text.value.length)
})

test("changes of ranges give the same text as in the editor", () => {
  const numbers = random(5)
  let text = new SourceText("one\ntwo\r\nthree")
  let expected = text.value
  for (let round = 0; round < 500; round++) {
    const start = numbers.below(expected.length + 1)
    const end = start + numbers.below(expected.length - start + 1)
    const inserted = numbers.pick(["", "x", "\n", "\r\n", "😀", "template A() {}\n"])
    // A position never lies between \r and \n.
    if (/\r$/.test(expected.slice(0, start)) || /\r$/.test(expected.slice(0, end))) continue
    text = text.applyChange({ range: text.toRange(start, end), text: inserted })
    expected = expected.slice(0, start) + inserted + expected.slice(end)
    assert.is(text.value, expected)
  }
  assert.is(text.applyChange({ text: "all" }).value, "all")
})

test("positions in copied code are mapped in both directions, also in broken templates", () => {
  const numbers = random(8)
  const broken = Array.from({ length: 60 }, () => damage(numbers.pick(fixtures), numbers).source)
  for (const source of [...fixtures, ...broken]) {
    const file = new TemplateFile(new SourceText(source), "/a/page.tpl")
    for (const { at, start, length } of file.compiled.copies) {
      const range = file.toSource(file.code.toRange(at, at + length))
      assert.equal(range, file.source.toRange(start, start + length))
      for (const inside of [start, start + (length >> 1), start + length]) {
        const position = file.source.positionAt(inside)
        const there = file.toCode(position)
        assert.ok(there)
        assert.equal(file.toSource({ start: there, end: there })?.start, position)
      }
    }
    assert.is(file.toSource({ start: { line: 0, character: 3 }, end: { line: 0, character: 5 } }), undefined)
  }
})

test("the answers of several features of the language server are combined", () => {
  assert.is(joinAnswers("textDocument/hover", [undefined, null]), null)
  assert.is(joinAnswers("textDocument/hover", [undefined, "a", "b"]), "a")
  assert.equal(joinAnswers("textDocument/references", [[1], undefined, [2, 3]]), [1, 2, 3])
  assert.equal(joinAnswers("textDocument/completion", [[1], { isIncomplete: true, items: [2] }]), {
    isIncomplete: true,
    items: [1, 2],
  })
})

test("the capabilities of features are added to those of TypeScript's server", () => {
  const known = { capabilities: { completionProvider: { triggerCharacters: ["."] }, hoverProvider: true } }
  const feature = {
    capabilities: { completionProvider: { triggerCharacters: ["<"] }, foldingRangeProvider: true },
  }
  const { capabilities } = toInitializeResult(known, feature.capabilities) as {
    capabilities: Record<string, unknown>
  }
  assert.equal(capabilities.completionProvider, { triggerCharacters: [".", "<"] })
  assert.equal([capabilities.hoverProvider, capabilities.foldingRangeProvider], [true, true])
})

test("TypeScript's server sends no defaults of completion lists, because the joined list would lose them", () => {
  const completionItem = { snippetSupport: true }
  const completion = { completionItem, completionList: { itemDefaults: ["editRange"] } }
  const params = toTypeScriptParams({ capabilities: { textDocument: { completion, hover: {} } } }, "/")
  const { textDocument } = (params as { capabilities: Record<string, unknown> }).capabilities
  assert.equal(textDocument, { completion: { completionItem }, hover: {}, diagnostic: {} })
})

test("without TypeScript, a template shows the errors of its compiler", async () => {
  const root = mkdtempSync(join(tmpdir(), "fw-lsp-"))
  const [there, back] = [new PassThrough(), new PassThrough()]
  const server = new LanguageServer("/", () => undefined)
  server.editor = new Connection(there, back, server)
  const published: { diagnostics: { message: string }[] }[] = []
  let arrived = () => {}
  const editor = new Connection(back, there, {
    request: () => null,
    handleNotification: (_, params) => {
      published.push(params as (typeof published)[number])
      arrived()
    },
  })
  const early = await editor.request("textDocument/hover", {}).catch((error: unknown) => error)
  assert.is((early as ResponseError).code, errorCodes.notInitialized)
  await editor.request("initialize", { capabilities: {}, rootUri: pathToFileURL(root).href })
  const uri = pathToFileURL(join(root, "page.tpl")).href
  const next = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const text = "template Page() {\n  <p>\n}\n"
  editor.notify("textDocument/didOpen", { textDocument: { uri, languageId: "tpl", version: 1, text } })
  await next
  assert.match(published[0]?.diagnostics[0]?.message ?? "", "<p> is never closed")
  const position = { line: 0, character: 10 }
  assert.is(await editor.request("textDocument/hover", { textDocument: { uri }, position }), null)
  await editor.request("shutdown", undefined)
  editor.notify("exit", undefined)
  await server.exited
  rmSync(root, { recursive: true })
})

/** Starts a server without TypeScript for a project, and opens a file whose text differs from that on the disk. */
async function opened(files: readonly string[], file: string, text: string, appDir?: string) {
  const root = mkdtempSync(join(tmpdir(), "fw-lsp-"))
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), "")
  }
  const server = new LanguageServer(root, () => undefined, appDir)
  const ask = (method: string, params: object) => server.request(method, params, new AbortController().signal)
  await ask("initialize", { capabilities: { textDocument: { diagnostic: {} } } })
  const uri = pathToFileURL(join(root, file)).href
  server.handleNotification("textDocument/didOpen", { textDocument: { uri, languageId: "x", version: 1, text } })
  return { root, ask, textDocument: { uri } }
}

for (const [file, text, marked, says] of [
  ["app/route.ts", "export const a = 1\nexport function GET() {}\n", "export function GET", "mean Get?"],
  ["app/route.ts", "export function get() {}", "export function get", "mean Get?"],
  ["app/a/route.ts", "export const Gett = () => 1", "export const Gett", "mean Get?"],
  ["app/page.ts", "export function page() {}", "export function page", "mean Page?"],
  ["app/a/layout.ts", "export function layout() {}", "export function layout", "mean Layout?"],
  ["app/middleware.ts", "export function middleware() {}", "export function middleware", "mean Middleware?"],
  ["app/page.tpl", "template Pag() {\n  <p></p>\n}\n", "Pag", "mean Page?"],
  ["app/route.ts", "export function Get() {}", "", ""],
  ["app/helper.ts", "export function get() {}", "", ""],
  ["lib/route.ts", "export function get() {}", "", ""],
] as const) {
  test(`${file} with ${text.split("\n").at(0)} ${says ? "has one mistake" : "has no mistake"}`, async () => {
    const { root, ask, textDocument } = await opened([file], file, text)
    const { items } = (await ask("textDocument/diagnostic", { textDocument })) as {
      items: { message: string; range: { start: Position; end: Position } }[]
    }
    const found = items.map(({ message, range: { start, end } }) => {
      assert.match(message, says)
      return new SourceText(text).value.slice(new SourceText(text).offsetAt(start), new SourceText(text).offsetAt(end))
    })
    assert.equal(found, says ? [marked] : [])
    rmSync(root, { recursive: true })
  })
}

for (const [file, text, character, targets] of [
  ["app/a/b/route.ts", "export function Get() {}", 3, ["a/layout.tpl", "a/b/middleware.ts", "middleware.ts"]],
  ["app/a/page.tpl", "template Page() {}", 2, ["a/layout.tpl", "middleware.ts"]],
  ["app/c/page.ts", "export function Page() {}", 0, ["middleware.ts"]],
  ["app/a/b/route.ts", "export function Get() {}", 9, null],
  ["app/a/helper.ts", "export function Get() {}", 0, null],
] as const) {
  test(`the definition at character ${character} of ${file} is ${targets?.join(", ") ?? "TypeScript's"}`, async () => {
    const others = ["middleware.ts", "a/layout.tpl", "a/b/middleware.ts", "c/d/middleware.ts"]
    const files = [file, ...others.map((name) => `app/${name}`)]
    const { root, ask, textDocument } = await opened(files, file, text)
    const found = await ask("textDocument/definition", { textDocument, position: { line: 0, character } })
    const uris = (found as { uri: string }[] | null)?.map(({ uri }) => uri)
    assert.equal(
      uris,
      targets?.map((name) => pathToFileURL(join(root, "app", name)).href),
    )
    rmSync(root, { recursive: true })
  })
}

test("a configured directory of routes is read, and the default one is not", async () => {
  const text = "export function get() {}"
  for (const [file, count] of [
    ["src/routes/route.ts", 1],
    ["app/route.ts", 0],
  ] as const) {
    const { root, ask, textDocument } = await opened([file], file, text, "src/routes")
    const { items } = (await ask("textDocument/diagnostic", { textDocument })) as { items: unknown[] }
    assert.is(items.length, count, file)
    rmSync(root, { recursive: true })
  }
})

test.run()

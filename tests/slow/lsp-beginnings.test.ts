// Sends to `fw lsp` every beginning of every template in the compiler's tests: each request is answered, and all
// ranges are inside the text. FW_TEST_STEP=1 tries all beginnings, and the default some of them.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { LanguageServer } from "../../bin/lsp/server.ts"
import { SourceText } from "../../bin/lsp/source-text.ts"
import { errorCodes, ResponseError } from "../../bin/rpc/connection.ts"
import type { Range } from "../support/bin/lsp/places.ts"
import { fixtures } from "../support/template/damage.ts"

const step = Number(process.env.FW_TEST_STEP ?? 23)
const methods = [
  ...["hover", "completion", "definition", "linkedEditingRange", "documentHighlight", "prepareRename"],
  ...["rename", "documentSymbol", "foldingRange", "selectionRange", "formatting", "rangeFormatting"],
  ...["documentLink", "documentColor", "codeAction", "diagnostic"],
]

test(`every ${step}th beginning of every fixture is answered, with ranges in the text`, async () => {
  const root = mkdtempSync(join(tmpdir(), "fw-lsp-"))
  const server = new LanguageServer(root, () => undefined)
  const ask = (method: string, params: object) => server.request(method, params, new AbortController().signal)
  await ask("initialize", { capabilities: { textDocument: { diagnostic: {} } } })
  const textDocument = { uri: pathToFileURL(join(root, "app/page.tpl")).href, version: 1 }
  server.handleNotification("textDocument/didOpen", {
    textDocument: { ...textDocument, languageId: "tpl", text: "" },
  })
  for (const fixture of fixtures) {
    for (let end = 0; end <= fixture.length; end += step) {
      const text = fixture.slice(0, end)
      server.handleNotification("textDocument/didChange", { textDocument, contentChanges: [{ text }] })
      const read = new SourceText(text)
      const position = read.positionAt(end)
      const range = { start: read.positionAt(end >> 1), end: position }
      const more = { positions: [position], newName: "b", options: {}, context: { diagnostics: [] } }
      for (const method of methods) {
        const params = { textDocument, position, range, ...more }
        const answer = await ask(`textDocument/${method}`, params).catch((error: unknown) => {
          assert.ok(error instanceof ResponseError && error.code === errorCodes.invalidParams, String(error))
        })
        checkRanges(answer, read, `${method} at the end of ${text}`)
      }
    }
  }
  await server.stop()
  rmSync(root, { recursive: true })
})

/** Checks all ranges in an answer, at any depth. */
function checkRanges(answer: unknown, text: SourceText, what: string): void {
  if (typeof answer !== "object" || answer === null) return
  const { start, end } = answer as Partial<Range>
  if (typeof start === "object" && typeof end === "object") {
    for (const place of [start, end]) assert.equal(text.positionAt(text.offsetAt(place)), place, what)
    assert.ok(text.offsetAt(start) <= text.offsetAt(end), what)
  }
  for (const value of Object.values(answer)) checkRanges(value, text, what)
}

test.run()

// Tests of which directories `fw lsp` lists. This file needs its own process, because it replaces functions of
// node:fs.

import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import promises from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { LanguageServer } from "../../../bin/lsp/server.ts"

test("after a keystroke the server lists only the directories above the file, and after a new file it lists more", async () => {
  const file = "app/a/page.tpl"
  const text = 'template Page() {\n  <a href="/b">b</a><img src="/static/no.png" alt="">\n}\n'
  const root = mkdtempSync(join(tmpdir(), "fw-lsp-"))
  mkdirSync(join(root, "app/a"), { recursive: true })
  writeFileSync(join(root, file), text)
  const server = new LanguageServer(root, () => undefined)
  const ask = (method: string, params: object) => server.request(method, params, new AbortController().signal)
  await ask("initialize", { capabilities: { textDocument: { diagnostic: {} } } })
  const textDocument = { uri: pathToFileURL(join(root, file)).href }
  const item = { ...textDocument, languageId: "tpl", version: 1, text }
  server.handleNotification("textDocument/didOpen", { textDocument: item })
  const lists = { readdir: promises.readdir, readdirSync: fs.readdirSync }
  let listed = 0
  const counting = <T extends (...given: never[]) => unknown>(list: T) =>
    ((...given) => {
      listed++
      return list(...given)
    }) as T
  try {
    await ask("textDocument/diagnostic", { textDocument })
    promises.readdir = counting(lists.readdir)
    fs.readdirSync = counting(lists.readdirSync)
    syncBuiltinESMExports()
    for (let version = 2; version < 6; version++) {
      const contentChanges = [{ text: text.replace("b</a>", `${"b".repeat(version)}</a>`) }]
      server.handleNotification("textDocument/didChange", {
        textDocument: { ...textDocument, version },
        contentChanges,
      })
      const { items } = (await ask("textDocument/diagnostic", { textDocument })) as { items: unknown[] }
      assert.is(items.length, 2)
    }
    assert.is(listed, 8)
    listed = 0
    server.handleNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: textDocument.uri }] })
    await ask("textDocument/diagnostic", { textDocument })
    assert.ok(listed > 2)
  } finally {
    Object.assign(promises, { readdir: lists.readdir })
    Object.assign(fs, { readdirSync: lists.readdirSync })
    syncBuiltinESMExports()
    rmSync(root, { recursive: true })
  }
})

test.run()

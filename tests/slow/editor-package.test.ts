/**
 * Tests of the extension for Visual Studio Code: the content of the .vsix, its settings, and the server that it
 * starts.
 */

import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { builtinModules } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findProject, toServer } from "../../editors/vscode/server.ts"
import { project } from "../support/bin/cli/command.ts"
import { unzip } from "../support/editors/unzip.ts"
import { root } from "../support/tsc.ts"

const folder = mkdtempSync(join(tmpdir(), "fw-vsix-"))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const { buildExtension } = await import(join(root, "scripts/vsix.mjs"))

async function build(name: string): Promise<Buffer> {
  const file = join(folder, name)
  await buildExtension(file)
  return readFileSync(file)
}

const archive = await build("a.vsix")
const files = unzip(archive)
const text = (name: string) => files.get(name)?.toString("utf8") ?? ""
const json = (name: string) => JSON.parse(text(`extension/${name}`))

test("the package contains exactly the files that its manifest names", () => {
  assert.equal([...files.keys()].sort(), [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/README.md",
    "extension/extension.cjs",
    "extension/language-configuration.json",
    "extension/package.json",
    "extension/syntaxes/tpl.tmLanguage.json",
  ])
  const { main, contributes, name, version, publisher } = json("package.json")
  const [language] = contributes.languages
  for (const path of [main, language.configuration, contributes.grammars[0].path]) {
    assert.ok(files.has(`extension/${path.replace("./", "")}`), path)
  }
  assert.is(contributes.grammars[0].scopeName, json("syntaxes/tpl.tmLanguage.json").scopeName)
  assert.is(contributes.grammars[0].language, language.id)
  assert.is(contributes.configurationDefaults["[tpl]"]["editor.defaultFormatter"], `${publisher}.${name}`)
  assert.match(text("extension.vsixmanifest"), `Id="${name}" Version="${version}" Publisher="${publisher}"`)
  for (const [, path] of text("extension.vsixmanifest").matchAll(/Path="([^"]+)"/g)) {
    assert.ok(files.has(path as string), path)
  }
  for (const path of files.keys()) {
    const end = /\.(\w+)$/.exec(path)?.[1]
    assert.ok(end === "xml" || text("[Content_Types].xml").includes(`Extension=".${end}"`), path)
  }
})

test("two packages of the same sources have the same bytes", async () => {
  assert.ok(archive.equals(await build("b.vsix")))
})

test("the program of the extension needs only the editor and Node", () => {
  const names = [...text("extension/extension.cjs").matchAll(/\brequire\("([^"]+)"\)/g)].map(
    ([, name]) => name as string,
  )
  assert.ok(names.includes("vscode"))
  const strange = names.filter((name) => name !== "vscode" && !builtinModules.includes(name.replace("node:", "")))
  assert.equal(strange, [])
})

const configuration = json("language-configuration.json")

test("a line is indented after an opening bracket or tag, and not after a closing one", () => {
  const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules
  const increases = [
    "template Page() {",
    "{if (a) {",
    "} else {",
    '<div class="a">',
    "<ul>",
    "{Card({",
    "<p {...a}>",
    "([",
  ]
  const stays = [
    "<p>a</p>",
    "<br>",
    '<input name="a">',
    "text",
    "}}",
    "{a}",
    "</div>",
    "<!doctype html>",
    "<path d='a'/>",
  ]
  for (const line of increases) assert.match(line, new RegExp(increaseIndentPattern), line)
  for (const line of stays) assert.not.match(line, new RegExp(increaseIndentPattern), line)
  for (const line of ["}}", "</div>", "  } else {", "-->", ")"]) {
    assert.match(line, new RegExp(decreaseIndentPattern), line)
  }
  for (const line of ["<div>", "a", "{a}"]) assert.not.match(line, new RegExp(decreaseIndentPattern), line)
})

test("Enter between two tags puts the end tag on a line of its own", () => {
  const [rule] = configuration.onEnterRules
  assert.match('  <div class="a" id={b}>', new RegExp(rule.beforeText))
  assert.match("</div>", new RegExp(rule.afterText))
  assert.not.match("<br>", new RegExp(rule.beforeText))
  assert.is(rule.action.indent, "indentOutdent")
})

const at = (path: string) => join("/work", ...path.split("/"))
const fw = "node_modules/fw/dist/bin/fw.js"

test("a file belongs to the nearest directory in which fw is installed", () => {
  const installed = new Set([at(`shop/${fw}`), at(`shop/docs/${fw}`)])
  const of = (path: string) => findProject(at(path), (file) => installed.has(file))
  assert.is(of("shop/app/page.tpl"), at("shop"))
  assert.is(of("shop/docs/app/page.tpl"), at("shop/docs"))
  assert.is(of("other/page.tpl"), undefined)
})

/** A server that answers the first request with its arguments. */
const stub = `
let text = ""
process.stdin.on("data", (chunk) => {
  text += chunk
  const body = text.split("\\r\\n\\r\\n")[1]
  if (!body) return
  const { id } = JSON.parse(body)
  const result = { capabilities: {}, serverInfo: { name: [process.argv[2], process.cwd()].join(" ") } }
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result })
  process.stdout.write("Content-Length: " + Buffer.byteLength(answer) + "\\r\\n\\r\\n" + answer)
})
`

for (const node of ["", process.execPath]) {
  test(`the server of a project answers over standard input and output, with ${node ? "a given Node" : "the editor's"}`, async () => {
    const cwd = project({ [fw]: stub, "app/page.tpl": "" })
    const found = findProject(join(cwd, "app/page.tpl"))
    assert.is(found, cwd)
    const server = toServer(cwd, node)
    assert.equal(server.env, node ? {} : { ELECTRON_RUN_AS_NODE: "1" })
    const child = spawn(server.command, server.args, {
      cwd: server.cwd,
      env: { ...process.env, ...server.env },
    })
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
    child.stdin.end(`Content-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`)
    let output = ""
    for await (const chunk of child.stdout) output += chunk
    const { result } = JSON.parse(output.split("\r\n\r\n")[1] ?? "{}")
    assert.is(result.serverInfo.name, `lsp ${cwd}`)
  })
}

test.run()

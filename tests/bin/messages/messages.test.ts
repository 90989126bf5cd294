/** The catalogues of messages: one way to make an error, an entry for each code, and pages that are current. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import * as build from "../../../bin/messages/build.ts"
import * as css from "../../../bin/messages/css.ts"
import * as download from "../../../bin/messages/download.ts"
import * as files from "../../../bin/messages/files.ts"
import * as created from "../../../bin/messages/new.ts"
import * as programs from "../../../bin/messages/programs.ts"
import * as project from "../../../bin/messages/project.ts"
import { httpEntries } from "../../../bin/messages/reference/http.ts"
import { codes, pages, referenceFiles } from "../../../bin/messages/reference/pages.ts"
import * as tools from "../../../bin/messages/tools.ts"
import * as usage from "../../../bin/messages/usage.ts"
import { commands } from "../../../bin/table.ts"
import type { FwErrorCode } from "../../../lib/error-codes.ts"
import { fault } from "../../../lib/fault.ts"
import { applicationMessages } from "../../../lib/messages/application.ts"
import { hostMessages } from "../../../lib/messages/hosts.ts"
import { leftOutMessages } from "../../../lib/messages/left-out.ts"
import { middlewareMessages } from "../../../lib/messages/middleware.ts"
import { patternMessages } from "../../../lib/messages/patterns.ts"
import { scanMessages } from "../../../lib/messages/scan.ts"
import { sessionMessages } from "../../../lib/messages/session.ts"
import { storeMessages } from "../../../lib/messages/store.ts"
import { fw } from "../../support/bin/cli/command.ts"

const messages = suite("messages")
const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")

/** The sources of a folder, without their comments, by path. */
function sources(folder: string): Map<string, string> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  const found = paths.filter((path) => path.endsWith(".ts")).map((path) => `${folder}/${path}`)
  return new Map(
    found.map((path) => [path, readFileSync(join(root, path), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "")]),
  )
}

const all = new Map([...sources("lib"), ...sources("adapters"), ...sources("bin")])

messages("every FwError of fw is made from a catalogue", () => {
  const made = [...all].filter(([, text]) => /new (?:FwError|UsageError)\(/.test(text)).map(([path]) => path)
  assert.equal(made, [])
  const parents = [...all].filter(([, text]) => /class \w+ extends FwError/.test(text)).map(([path]) => path)
  assert.equal(
    parents.sort(),
    ["bin/messages/usage.ts", "lib/scan.ts"],
    "a class of errors decides no message",
  )
})

const catalogues: Readonly<Record<string, object>> = {
  ...{
    applicationMessages,
    hostMessages,
    leftOutMessages,
    middlewareMessages,
    patternMessages,
    scanMessages,
    sessionMessages,
    storeMessages,
  },
  ...{ ...build, ...css, ...download, ...files, ...created, ...programs, ...project, ...tools, ...usage },
}

/** Names that are put together where the error is made: `pattern.${reason}`. */
const composed = /`([a-z_]+(?:\.[a-z_]+)*\.)\$\{|`\$\{[^}]+\}\.(\w+)`|`\$\{[^}]+\}\.\$\{/g

messages("every message of a catalogue is used", () => {
  const code = [...all].filter(([path]) => !/^(?:lib|bin)\/messages\//.test(path)).map(([, text]) => text)
  const text = code.join("\n")
  const heads = [...text.matchAll(composed)].map(([, head]) => head).filter((head) => head !== undefined)
  const names = Object.entries(catalogues)
    .filter(([name]) => name.endsWith("Messages"))
    .flatMap(([, catalogue]) => Object.keys(catalogue))
  assert.ok(names.length > 200, "the walk finds the catalogues")
  const unused = names.filter((name) => {
    const isComposed = heads.some((head) => name.startsWith(head)) || /^(?:css|node)_download\./.test(name)
    return !isComposed && !text.includes(`"${name}"`)
  })
  assert.equal(unused, [])
})

messages("every code has one entry, with an explanation and a message", () => {
  assert.equal([...new Set(codes)].length, codes.length, "no code is on two pages")
  for (const { entries } of pages) {
    for (const { code, about, examples } of entries) {
      assert.match(about, /[.)]$/, code)
      assert.ok(examples.length > 0, `${code} shows a message`)
    }
  }
  const listed = (all.get("lib/error-codes.ts") as string).matchAll(/(?:\||=) "([a-z_]+)"/g)
  assert.equal([...codes].sort(), [...listed].map(([, code]) => code as FwErrorCode).sort())
})

messages("no message shows a missing value, and each is a plain sentence", () => {
  for (const { entries } of pages) {
    for (const { code, examples } of entries) {
      for (const [what, fix = ""] of examples) {
        const text = `${what}\n${fix}`
        assert.not.match(
          text,
          /\[object |undefined[^\s,)]|\bNaN\b|(?<!there )\bis no [a-z]|\b[Mm]end\b/,
          `${code}: ${text}`,
        )
        assert.not.match(
          what,
          /^.*\.$/,
          `${code}: the first part has no full stop, since a place may come before it`,
        )
      }
    }
  }
})

messages("docs/reference/errors is what scripts/errors.mjs writes for the catalogues", () => {
  const directory = join(root, "docs/reference/errors")
  const made = referenceFiles()
  assert.equal(readdirSync(directory).sort(), [...made.keys()].sort())
  for (const [name, text] of made)
    assert.is(
      readFileSync(join(directory, name), "utf8"),
      text,
      `run node --conditions=fw-source scripts/errors.mjs: ${name}`,
    )
})

messages("every code of an HTTP error is explained", () => {
  assert.ok(httpEntries.length > 20)
  assert.equal(
    httpEntries.filter(({ about }) => about === "").map(({ code }) => code),
    [],
  )
  const thrown = [...all.values()].flatMap((text) => [...text.matchAll(/new HttpError\(\s*(\d{3})/g)])
  for (const [, status] of thrown)
    assert.ok(
      httpEntries.some((entry) => entry.status === Number(status)),
      `${status}`,
    )
})

messages("the types allow only known codes of errors, with all facts of the message", () => {
  const error = fault("conflict", ["GET /a", "one", "two"], { at: { file: "a.ts" } })
  assert.equal([error.code, error.message], ["conflict", "one and two both claim GET /a"])
  // @ts-expect-error a message that does not exist
  assert.throws(() => fault("conflicts", []))
  // @ts-expect-error a message that lacks a fact
  fault("conflict", ["GET /a"])
})

messages("fw help <code> prints an entry, as text and as data", async () => {
  const { stdout, code } = await fw(["help", "port_in_use"])
  assert.is(code, 0)
  assert.match(stdout, /^port_in_use\n\nAnother process has the port/)
  assert.match(stdout, "    Stop that process")
  const data = JSON.parse((await fw(["help", "cors", "--json"])).stdout).data
  assert.is(data.code, "cors")
  assert.match((await fw(["help", "not_found"])).stdout, /^not_found \(HTTP 404\)\n\nNo route/)
  const other = await fw(["help", "genrate"])
  assert.equal([other.code, other.stdout], [2, ""])
  assert.match(other.stderr, 'Did you mean "fw generate"?')
  assert.match((await fw(["help", "405"])).stdout, /^method_not_allowed \(HTTP 405\)\n/)
  const near = await fw(["help", "port_in_us"])
  assert.equal(
    [near.code, near.stderr],
    [
      2,
      'error: "port_in_us" is neither a command nor the code of an error\n  Did you mean "fw help port_in_use"?\n',
    ],
  )
})

messages("no code has the name of a command, because fw help would show the command", () => {
  const taken = [...codes, ...httpEntries.map(({ code }) => code)].filter((code) =>
    Object.hasOwn(commands.commands, code),
  )
  assert.equal(taken, [])
})

messages("a failure names its entry, and a wrong command line does not", async () => {
  const failed = await fw(["routes", "--app-dir", "nowhere"])
  assert.match(failed.stderr, /\n {2}More: fw help app_dir\n$/)
  assert.not.match((await fw(["routs"])).stderr, "More:")
})

messages("each page is linked from the index", () => {
  const index = referenceFiles().get("README.md") ?? ""
  for (const name of referenceFiles().keys()) if (name !== "README.md") assert.match(index, basename(name))
})

messages.run()

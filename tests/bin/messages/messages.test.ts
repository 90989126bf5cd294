/** Tests of the message catalogues: all errors are created with them, and the reference shows every message. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readErrorReference } from "../../../bin/docs/errors.ts"
import { readDocs, splitSections } from "../../../bin/docs/pages.ts"
import { commands } from "../../../bin/table.ts"
import type { FwErrorCode } from "../../../lib/errors/error-codes.ts"
import { fault } from "../../../lib/errors/fault.ts"
import { HttpError } from "../../../lib/errors.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { examples, names } from "../../support/bin/messages/examples.ts"

const messages = suite("messages")
const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")

/** Returns the sources of a folder by their paths, without comments. */
function sources(folder: string): Map<string, string> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  const found = paths.filter((path) => path.endsWith(".ts")).map((path) => `${folder}/${path}`)
  return new Map(found.map((path) => [path, readFileSync(join(root, path), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "")]))
}

const all = new Map([...sources("lib"), ...sources("template"), ...sources("adapters"), ...sources("bin")])

messages("every FwError of fw is created from a catalogue", () => {
  const made = [...all].filter(([, text]) => /new (?:FwError|UsageError)\(/.test(text)).map(([path]) => path)
  assert.equal(made, [])
  const parents = [...all].filter(([, text]) => /class \w+ extends FwError/.test(text)).map(([path]) => path)
  assert.equal(parents.sort(), ["bin/messages/usage.ts", "lib/scan.ts"], "other classes of errors extend FwError")
})

messages("there are examples for every message of every catalogue", () => {
  const listed = readFileSync(join(root, "tests/support/bin/messages/examples.ts"), "utf8")
  const catalogues = [...all.values()].flatMap((text) => [
    ...text.matchAll(/= (?:\/\* @__PURE__ \*\/ )?createFaults\((\w+)/g),
  ])
  assert.ok(catalogues.length > 10)
  for (const [, name] of catalogues) assert.ok(listed.includes(`...${name}`), `there are no examples for ${name}`)
})

/** Matches names of messages that are composed where the error is created, such as `pattern.${reason}`. */
const composed = /`([a-z_]+(?:\.[a-z_]+)*\.)\$\{|`\$\{[^}]+\}\.(\w+)`|`\$\{[^}]+\}\.\$\{/g

messages("every message of a catalogue is used", () => {
  const code = [...all].filter(([path]) => !/^(?:lib|bin)\/messages\//.test(path)).map(([, text]) => text)
  const text = code.join("\n")
  const heads = [...text.matchAll(composed)].map(([, head]) => head).filter((head) => head !== undefined)
  assert.ok(names.length > 200, `only ${names.length} messages were found in the catalogues`)
  const unused = names.filter((name) => {
    const isComposed = heads.some((head) => name.startsWith(head))
    return !isComposed && !text.includes(`"${name}"`)
  })
  assert.equal(unused, [])
})

const pages = await readDocs(join(root, "docs/reference/errors"))
const { errors, answers } = await readErrorReference()
const codes = errors.map(({ code }) => code)

messages("every code has one heading in the pages, and every heading is a code", () => {
  assert.equal([...codes].sort(), [...new Set(examples.map(([code]) => code))].sort())
})

/** Returns messages as a block of a page in the reference. */
const renderBlock = (texts: readonly (readonly [what: string, fix?: string])[]) =>
  texts.map(([what, fix = ""]) => `${what}\n  ${fix}`).join("\n\n")

for (const { code, about, examples: shown } of errors)
  messages(`the entry of ${code} explains it, and shows every message of the catalogues and no other`, () => {
    assert.match(about, /[.)]$/)
    const made = examples.filter(([own]) => own === code).map(([, message]) => message)
    assert.equal(renderBlock([...shown].sort()), renderBlock([...made].sort()))
    const section = `## ${code}\n\n${about}\n\n\`\`\`text\n${renderBlock(shown)}\n\`\`\`\n`
    assert.ok(
      pages.some(({ text }) => text.includes(section)),
      `no page contains this section:\n${section}`,
    )
  })

messages("no message shows a missing value, and each is a plain sentence", () => {
  for (const [code, [what, fix = ""]] of examples) {
    const text = `${what}\n${fix}`
    assert.not.match(
      text,
      /\[object |undefined[^\s,)]|\bNaN\b|(?<!there )\bis no [a-z]|\b[Mm]end\b/,
      `${code}: ${text}`,
    )
    assert.not.match(what, /^.*\.$/, `${code}: the first part of the message ends with a full stop`)
  }
})

messages("the index has a row for every code, with its page", () => {
  const [index, ...others] = [...pages].sort((a) => (a.path === "README.md" ? -1 : 1))
  const rows = others.flatMap(({ path, title, text }) =>
    splitSections(text)
      .filter(({ heading }) => codes.includes(heading))
      .map(({ heading }) => `| [\`${heading}\`](${path}#${heading}) | ${title.replace("Errors: ", "")} |`),
  )
  assert.equal(index?.text.match(/^\| \[.*/gm)?.sort(), rows.sort())
})

messages("the page of HTTP errors has every code of an HttpError, with its status", () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index)
  const named = statuses.map((status) => [status, new HttpError(status, "").code] as const)
  assert.equal(
    answers.map(({ status, code }) => [status, code]),
    named.filter(([status, code]) => code !== `http_${status}`),
  )
  const thrown = [...all.values()].flatMap((text) => [...text.matchAll(/new HttpError\(\s*(\d{3})/g)])
  for (const [, thrownStatus] of thrown)
    assert.not.match(answers.find(({ status }) => status === Number(thrownStatus))?.about ?? "", "for your program")
})

messages("the types allow only known codes of errors, with all facts of the message", () => {
  const error = fault("conflict", ["GET /a", "one", "two"], { at: { file: "a.ts" } })
  assert.equal([error.code, error.message], ["conflict", "one and two both claim GET /a"])
  // @ts-expect-error this message does not exist
  assert.throws(() => fault("conflicts", []))
  // @ts-expect-error this message needs another fact
  fault("conflict", ["GET /a"])
  const codesOfApps: FwErrorCode[] = ["conflict", "pattern", "jwt", "session", "store", "scan", "csrf"]
  // @ts-expect-error this code does not exist
  codesOfApps.push("conflicts")
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
    [2, 'error: "port_in_us" is neither a command nor the code of an error\n  Did you mean "fw help port_in_use"?\n'],
  )
})

messages("no code has the name of a command, because fw help would show the command", () => {
  const taken = [...codes, ...answers.map(({ code }) => code)].filter((code) => Object.hasOwn(commands.commands, code))
  assert.equal(taken, [])
})

messages("a failure names its entry in the reference, and a wrong command line does not", async () => {
  const failed = await fw(["routes", "--app-dir", "nowhere"])
  assert.match(failed.stderr, /\n {2}More: fw help app_dir\n$/)
  assert.not.match((await fw(["routs"])).stderr, "More:")
})

messages.run()

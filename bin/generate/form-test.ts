/** Generates the test of a form. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import type { NewFile } from "./files.ts"
import type { FieldKind, FormField } from "./form-fields.ts"
import type { Guards } from "./guards.ts"
import { readScaffold } from "./write-source.ts"

/** The facts on which the test depends. */
export interface FormTestOptions {
  /** The path of the form. Parameters are replaced by values. */
  readonly url: string
  readonly fields: readonly FormField[]
  /** The code that runs before the form and may refuse requests. */
  readonly guards: Guards
}

/** JavaScript code of values that the schema accepts. */
const fieldValues: Readonly<Record<FieldKind, string>> = {
  text: '"Ada"',
  long: '"A longer text."',
  email: '"ada@example.com"',
  number: '"42"',
  checkbox: '"on"',
  password: '"correct-horse-battery"',
  file: 'new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], "photo-of-ada.png")',
}

/** Returns the text of the test for Node's test runner. */
export function renderFormTest({ url, fields, guards }: FormTestOptions): string {
  const isGuarded = guards.sessions.length + guards.others.length > 0
  const entries = fields.map(({ name, kind }) => `  ${name}: ${fieldValues[kind]},\n`)
  const required = fields.filter(({ kind }) => kind !== "checkbox")
  const head = `/** Tests of the form at ${url}. */
import assert from "node:assert/strict"
import { ${guards.sessions.length > 0 ? "before, test" : "test"} } from "node:test"
import { testClient } from "fw/testing"
import { app } from "./support/app.ts"

const url = ${JSON.stringify(url)}

/** A form that is accepted. */
const valid = {
${entries.join("")}}

function formOf(fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return { method: "POST", body: form }
}
`
  const body = [
    labelsTest,
    isGuarded ? acceptedTest.replace("  const client = testClient(app)\n", "") : acceptedTest,
    ...(required.length > 0 ? [renderRefusedTest(required)] : []),
    ...(guards.csrf ? [foreignSiteTest] : []),
  ].join("\n")
  if (!isGuarded) return `${head}\n${body}`
  return `${head}\n${renderVisitor(guards)}\n${body.replaceAll("app.request(", "client.request(")}`
}

/** Returns the code of the client that all tests use. It may have to sign in, because of the guards. */
function renderVisitor({ sessions, others }: Guards): string {
  const [sessionFiles, otherFiles] = [sessions, others].map((files) => files.join(" and "))
  if (sessions.length === 0)
    return `/** The visitor. ${otherFiles} may refuse a visitor who is not signed in: then add a \`before()\` that signs in. */
const client = testClient(app)
`
  const more = others.length > 0 ? `, and ${otherFiles} may refuse this visitor` : ""
  return `/** The visitor, who is signed in: ${sessionFiles} asks for a session${more}. */
const client = testClient(app)

before(async () => {
  const form = { email: "form-test@example.com", password: "correct-horse-battery" }
  assert.equal((await client.request("/signup", { form })).status, 303)
})
`
}

const labelsTest = `test("the form has a label for each field", async () => {
  const response = await app.request(url)
  assert.equal(response.status, 200)
  const text = await response.text()
  for (const name of Object.keys(valid)) assert.match(text, new RegExp(\`<label for="\${name}-field"\`))
  assert.doesNotMatch(text, /-issue"/)
})
`

const acceptedTest = `test("a valid form is accepted, and the next page says so once", async () => {
  const client = testClient(app)
  const response = await client.request(url, formOf(valid))
  assert.equal(response.status, 303)
  const next = response.headers.get("location") ?? ""
  assert.match(await (await client.request(next)).text(), /The form was sent/)
  assert.doesNotMatch(await (await client.request(next)).text(), /The form was sent/)
})
`

function renderRefusedTest(required: readonly FormField[]): string {
  const empty = required.map(({ name, kind }) => `${name}: ${kind === "file" ? 'new File([], "")' : '""'}`)
  const first = required[0]?.name
  const visibleFields = required.filter(({ kind }, index) => index > 0 && kind !== "password" && kind !== "file")
  const secretFields = required.filter(({ kind }) => kind === "password" || kind === "file")
  const textChecks = visibleFields.map(({ name }) => `  assert.ok(text.includes(valid.${name}))\n`)
  const secretChecks = secretFields.map(({ name, kind }) => {
    const value = kind === "file" ? `valid.${name}.name` : `valid.${name}`
    return `  assert.ok(!text.includes(${value}))\n`
  })
  const body = [...textChecks, ...secretChecks].join("")
  const again = `
test("a refused form shows again what was sent${secretFields.length > 0 ? ", but no secrets and no files" : ""}", async () => {
  const response = await app.request(url, formOf({ ...valid, ${first}: "" }))
  assert.equal(response.status, 422)
  const text = await response.text()
${body}})
`
  return `test("an empty form is refused, with a message next to each field", async () => {
  const empty = { ${empty.join(", ")} }
  const response = await app.request(url, formOf(empty))
  assert.equal(response.status, 422)
  const text = await response.text()
  for (const name of Object.keys(empty)) {
    assert.ok(text.includes(\`aria-invalid="true" aria-describedby="\${name}-issue"\`), name)
    assert.ok(text.includes(\`id="\${name}-issue"\`), name)
  }
})
${body === "" ? "" : again}`
}

const foreignSiteTest = `test("a page of another site cannot send the form", async () => {
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const response = await app.request(url, { ...formOf(valid), headers })
  assert.equal(response.status, 403)
})
`

const supportFile = "tests/support/app.ts"

/**
 * Returns the module that gives tests the application, as new projects have it. Returns nothing if the project has
 * it already.
 *
 * @param hasMain true if the project has a main file.
 */
export async function createTestSupport(root: string, hasMain: boolean): Promise<NewFile[]> {
  if (await stat(join(root, supportFile)).catch(() => null)) return []
  const text = await readScaffold(`shared/${supportFile}`)
  if (hasMain) return [{ file: supportFile, text }]
  const textWithApp = text
    .replace("import routes", 'import { App } from "fw"\nimport routes')
    .replace('import app from "../../main.ts"\n', "")
    .replace("app.disableLogger()", "const app = new App()\napp.disableLogger()")
  return [{ file: supportFile, text: textWithApp }]
}

/** Generates a test from a request that `fw dev` has seen. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { findMain, type Project } from "../project/project.ts"
import { writeNewFiles } from "./files.ts"
import { createTestSupport } from "./form-test.ts"

/** A body without its secrets. */
interface SeenBody {
  readonly text: string
  readonly isText: boolean
  readonly total: number
  readonly kept: number
}
type Headers = readonly (readonly [name: string, value: string])[]

/** A request and its answer. `***` replaces secrets. */
export interface SeenRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Headers
  readonly body: SeenBody
  readonly status: number
  readonly answerHeaders: Headers
  readonly answerBody: SeenBody
}

/** Matches headers that describe the browser or the connection, and not the request. */
const incidentalHeaders =
  /^(?:host|connection|content-length|transfer-encoding|expect|user-agent|accept-(?:encoding|language)|origin|referer|cache-control|pragma|if-.*|sec-.*|upgrade-insecure-requests|priority|dnt)$/i

/** Returns the text of the test for Node's test runner. */
export function renderRequestTest({
  method,
  url,
  headers,
  body,
  status,
  answerHeaders,
  answerBody,
}: SeenRequest): string {
  const sent = headers.filter(([name]) => !incidentalHeaders.test(name))
  const fields = sent.filter(([, value]) => !value.includes("***"))
  const secrets = sent.flatMap(([name, value]) => (value.includes("***") ? [name.toLowerCase()] : []))
  if (`${url}${body.text}`.includes("***")) secrets.push("the values that are now ***")
  const isWhole = body.isText && body.kept === body.total
  const init = [
    `method: ${JSON.stringify(method)}`,
    ...(fields.length > 0 ? [`headers: ${JSON.stringify(Object.fromEntries(fields))}`] : []),
    ...(body.total > 0 && isWhole ? [`body: ${JSON.stringify(body.text)}`] : []),
  ]
  const notes = [
    ...(secrets.length > 0 ? [`  // Secrets were left out: ${secrets.join(", ")}.\n`] : []),
    ...(isWhole ? [] : ["  // The body was left out: it is long, or it is not text.\n"]),
  ]
  const type = answerHeaders.find(([name]) => /^content-type$/i.test(name))?.[1]
  // For a bug, fw dev has replaced the program's answer, so its body says nothing.
  const checks =
    status < 500
      ? [
          ...(type ? [`assert.equal(response.headers.get("content-type"), ${JSON.stringify(type)})`] : []),
          ...renderCheck(answerBody, type),
        ]
      : []
  return `/** A request that fw dev has seen. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

test(${JSON.stringify(`${method} ${url} answers ${status}`)}, async () => {
${notes.join("")}  const response = await app.request(${JSON.stringify(url)}, {
${init.map((line) => `    ${line},\n`).join("")}  })
  assert.equal(response.status, ${status})
${checks.map((line) => `  ${line}\n`).join("")}})
`
}

/** Returns the line that compares the body of the answer; none if the body is incomplete or contains secrets. */
function renderCheck({ text, isText, total, kept }: SeenBody, type = ""): string[] {
  if (total === 0 || !isText || kept < total || text.includes("***")) return []
  if (/\bjson\b/.test(type)) return [`assert.deepEqual(await response.json(), ${JSON.stringify(JSON.parse(text))})`]
  const [, title] = /<title>([^<]*)<\/title>/.exec(text) ?? []
  if (title !== undefined)
    return [`assert.ok((await response.text()).includes(${JSON.stringify(`<title>${title}</title>`)}))`]
  return /\bhtml\b/.test(type) ? [] : [`assert.equal(await response.text(), ${JSON.stringify(text)})`]
}

/**
 * Writes a test into `tests/` under an unused name.
 *
 * @returns the path of the file, relative to the project.
 * @throws FwError as {@link writeNewFiles} does.
 */
export async function writeRequestTest(project: Project, seen: SeenRequest, signal: AbortSignal): Promise<string> {
  const { root } = project
  const path = `${seen.method} ${seen.url.split("?")[0]}`
  const name = path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, maxName)
  const isTaken = (file: string) =>
    stat(join(root, file)).then(
      () => true,
      () => false,
    )
  let file = `tests/${name}.test.ts`
  for (let count = 2; await isTaken(file); count += 1) file = `tests/${name}-${count}.test.ts`
  const support = await createTestSupport(root, findMain(project) !== null)
  await writeNewFiles([...support, { file, text: renderRequestTest(seen) }], {
    root,
    within: "tests",
    force: false,
    signal,
  })
  return file
}

/** The longest name of a test, in characters. */
const maxName = 60

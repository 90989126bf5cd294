/**
 * Tests that Prism, a proxy that compares requests and answers with a document, finds no difference for
 * examples/tasks. The requests are those of the example's own tests. The tests of examples/auth compare their
 * answers with the document themselves.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { writeGenerated } from "../../bin/generate/generated.ts"
import { bundleTests } from "../../bin/testing/bundle-tests.ts"
import { findTests } from "../../bin/testing/find-tests.ts"
import { fw } from "../support/bin/cli/command.ts"
import { type AnsweringDocument, Answers } from "../support/bin/openapi/answers.ts"
import { Prism } from "../support/examples/prism.ts"
import type { Exchange } from "../support/examples/recorder.ts"
import { installTools } from "../support/tools.ts"
import { root as checkout } from "../support/tsc.ts"

const folder = mkdtempSync(join(tmpdir(), "fw-prism-"))
const recorder = new URL("../support/examples/recorder.ts", import.meta.url).href
const uvu = join(checkout, "node_modules/uvu/bin.js")
const prism = suite("prism")

prism.after(() => rmSync(folder, { recursive: true, force: true }))

prism("the document and the answers of examples/tasks agree", async () => {
  const root = join(checkout, "examples/tasks")
  const document = join(folder, "tasks.json")
  await generateDocument(root, document)
  const exchanges = await recordTests(root, join(folder, "tasks.jsonl"))
  const described = JSON.parse(readFileSync(document, "utf8")) as AnsweringDocument
  assert.equal(await unusedOperations(described, exchanges), [])
  assert.equal(await differences(document, exchanges), [])
})

async function generateDocument(root: string, file: string): Promise<void> {
  const { code, stderr } = await fw(["openapi", "generate", "-o", file], { cwd: root })
  assert.is(code, 0, stderr)
}

/** Runs the tests of an example, and returns their requests and answers. */
async function recordTests(root: string, file: string): Promise<Exchange[]> {
  const { calls } = await writeGenerated({ root, appDir: "app" })
  // The directory is below the example, where its packages are found.
  const directory = join(root, `.fw/slow-${process.pid}`)
  try {
    const tests = await findTests(root)
    await bundleTests({ root, tests, directory, calls: calls.files })
    const env = { ...process.env, FW_RECORD: file, NODE_V8_COVERAGE: undefined, FW_SECRETS: undefined }
    const args = [...process.execArgv, "--import", recorder, uvu, directory, "\\.mjs$"]
    execFileSync(process.execPath, args, { cwd: root, env, stdio: "pipe" })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Exchange)
}

/** Returns the operations that no request used, or that never accepted one. */
async function unusedOperations(document: AnsweringDocument, exchanges: readonly Exchange[]): Promise<string[]> {
  const answers = new Answers(document)
  for (const { method, target, status, answerHeaders, answerBody } of exchanges) {
    const body = [101, 204, 205, 304].includes(status) ? null : Buffer.from(answerBody, "base64")
    const headers = answerHeaders.map(([key, value]): [string, string] => [key, value])
    await answers.check(method, target, new Response(body, { status, headers }))
  }
  const good = new Set([...answers.seen].filter((seen) => / [23]\d\d$/.test(seen)).map((seen) => seen.slice(0, -4)))
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => /^(?:get|put|post|patch|delete)$/.test(method))
      // This operation always fails, on purpose.
      .filter(() => path !== "/api/drill")
      .map((method) => `${method} ${path}`),
  )
  return all.filter((operation) => !good.has(operation))
}

/** Sends all requests through Prism, and returns the differences that it finds. */
async function differences(document: string, exchanges: readonly Exchange[]): Promise<string[]> {
  const found: string[] = []
  const proxy = await Prism.start(await installTools(["@stoplight/prism-cli@5"]), document, exchanges)
  try {
    for (const [number, exchange] of exchanges.entries()) {
      if (!isForPrism(exchange)) continue
      const { status, violations } = await proxy.send(exchange, number)
      const what = `${exchange.method} ${exchange.target} ${exchange.status}`
      if (status !== exchange.status) found.push(`${what}: ${status} from prism`)
      for (const { location, message } of violations) {
        // The document does not contain pages, files and redirects to the canonical path. A request that is refused
        // may break the document's rules.
        if (message === "Selected route not found" || exchange.status === 308) continue
        if (location[0] === "response" || isAccepted(exchange)) found.push(`${what}: ${location.join(".")} ${message}`)
      }
    }
  } finally {
    proxy.stop()
  }
  return found
}

/** Returns true if a request was accepted. A redirect with 302 leads to the login. */
function isAccepted({ status }: Exchange): boolean {
  return status < 300 || status === 303
}

/**
 * Returns false for requests that Prism cannot read: it fails for HEAD, and crashes for some characters in file
 * names.
 */
function isForPrism({ method, headers, body }: Exchange): boolean {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? ""
  const names = Buffer.from(body, "base64")
    .toString("latin1")
    .matchAll(/filename="([^"]*)"/g)
  return (
    method !== "HEAD" &&
    (!type.startsWith("multipart/") || [...names].every(([, name]) => /^[\w. -]+$/.test(name ?? "")))
  )
}

prism.run()

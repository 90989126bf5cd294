/** Tests of requests to `fw dev` that arrive before the first program runs. */
import { chmodSync, existsSync, mkdtempSync, rmSync, watch, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { Dev, makeProject, route, write } from "../../support/bin/dev/dev-project.ts"
import { findFreePort } from "../../support/free-port.ts"

const test = suite("fw dev: the first requests")
const marks = mkdtempSync(join(tmpdir(), "fw-dev-first-"))
test.after(() => rmSync(marks, { recursive: true, force: true }))

/** Returns the answer to the first request that finds the port open. */
async function firstAnswer(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer) return answer
    await delay(1)
  }
}

/** Waits until a program has written a file. */
async function appears(name: string): Promise<void> {
  const changes = watch(marks)
  try {
    while (!existsSync(join(marks, name))) await new Promise((resolve) => changes.once("change", resolve))
  } finally {
    changes.close()
  }
}

test("a request that arrives when the port opens waits for the program", async () => {
  const port = await findFreePort()
  const root = makeProject({ "app/api/hello/route.ts": route("hello") })
  const dev = new Dev(root, ["--port", String(port)], {})
  const answer = await firstAnswer(`http://localhost:${port}/api/hello`)
  assert.is(`${answer.status} ${await answer.text()}`, "200 hello")
  await dev.stop()
})

test("a change of another file while the first program starts does not answer any request early", async () => {
  const port = await findFreePort()
  const main = `import { existsSync, writeFileSync } from "node:fs"
import { App } from "fw"

writeFileSync(${JSON.stringify(join(marks, "begun"))}, "")
while (!existsSync(${JSON.stringify(join(marks, "go"))})) await new Promise((resolve) => setTimeout(resolve, 5))
export default new App()
`
  const root = makeProject({
    "main.ts": main,
    "app/api/hello/route.ts": route("hello"),
    "static/css/site.css": "a {}\n",
  })
  const dev = new Dev(root, ["--port", String(port)], {})
  await appears("begun")
  const abort = new AbortController()
  const events = await fetch(`http://localhost:${port}/__fw/events`, { signal: abort.signal })
  const early = fetch(`http://localhost:${port}/api/hello`)
  write(root, { "static/css/site.css": "a { color: red }\n" })
  const stream = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())
  let text = ""
  for await (const part of stream) {
    text += part
    if (text.includes("event: styles")) break
  }
  abort.abort()
  const late = fetch(`http://localhost:${port}/api/hello`)
  // The parent process answers this request itself. Any request that it passed to a program would be answered
  // before it.
  await fetch(`http://localhost:${port}/__fw/status`)
  writeFileSync(join(marks, "go"), "")
  for (const answer of await Promise.all([early, late]))
    assert.is(`${answer.status} ${await answer.text()}`, "200 hello")
  await dev.stop()
})

/** Writes a compiler that waits for a file, and then writes the styles or fails. Returns the compiler's path. */
function slowCompiler(name: string, works: boolean): string {
  const path = join(marks, `${name}.sh`)
  const result = works ? 'printf "a{color:red}" > "$output"\necho "Done in 5ms" >&2\ncat > /dev/null' : "exit 3"
  writeFileSync(
    path,
    `#!/bin/sh
while [ "$1" != "--output" ]; do shift; done
output=$2
touch "${marks}/${name}-begun"
until [ -e "${marks}/${name}-go" ]; do sleep 0.01; done
${result}
`,
  )
  chmodSync(path, 0o755)
  return path
}

for (const [name, works, source, url, answered] of [
  ["compiled", true, "styles/input.css", "/static/css/output.css", "200 text/css; charset=utf-8 a{color:red}"],
  ["broken", false, "styles/input.css", "/static/css/output.css", "404 application/json"],
  ["bundled", true, "assets/site.css", "/assets/site.css", "200 text/css; charset=utf-8 a{color:red}"],
] as const)
  test(`a stylesheet waits for the first styles, and other requests do not: ${name}`, async () => {
    const port = await findFreePort()
    const root = makeProject({
      "app/api/hello/route.ts": route("hello"),
      [source]: '@import "tailwindcss";\n',
      "static/robots.txt": "",
    })
    const dev = new Dev(root, ["--port", String(port)], { FW_CSS_BINARY: slowCompiler(name, works) })
    let isAnswered = false
    const styles = firstAnswer(`http://localhost:${port}${url}?v=1`).finally(() => {
      isAnswered = true
    })
    await appears(`${name}-begun`)
    const other = await firstAnswer(`http://localhost:${port}/api/hello`)
    assert.is(`${other.status} ${await other.text()}`, "200 hello")
    assert.is(isAnswered, false)
    writeFileSync(join(marks, `${name}-go`), "")
    const { status, headers } = await styles
    const text = (await (await styles).text()).replace(/\s|;|\/\*.*?\*\//g, "")
    const body = status === 200 ? ` ${text}` : ""
    assert.is(`${status} ${headers.get("content-type")}${body}`, answered)
    await dev.stop()
  })

test.run()

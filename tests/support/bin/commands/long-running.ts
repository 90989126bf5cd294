/** Starts commands as processes that run until they are stopped. */
import { type ChildProcess, spawn } from "node:child_process"
import { program } from "../cli/command.ts"
import { makeProject, route } from "../dev/dev-project.ts"

/**
 * A program that replaces the CSS compiler: it fails for certain styles, and with `--watch` it runs until its input
 * ends.
 */
const compiler = `import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
const value = (flag) => process.argv[process.argv.indexOf(flag) + 1]
const text = readFileSync(value("--input"), "utf8")
if (text.includes("broken")) {
  console.error("Error: Cannot apply unknown utility class: broken")
  process.exit(1)
}
mkdirSync(dirname(value("--output")), { recursive: true })
writeFileSync(value("--output"), text)
console.error("Done in 1ms")
if (process.argv.includes("--watch")) process.stdin.resume().once("end", () => process.exit(0))
`
/** A small project with styles. */
export const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/hello/route.ts": route("hello"),
  "tests/hello.test.ts": 'import { test } from "node:test"\ntest("hello", () => {})\n',
  "styles/input.css": "a { color: red }\n",
  "compiler.mjs": compiler,
}
/** Makes fw use `compiler.mjs` as the CSS compiler. */
export const env = { FW_CSS_BINARY: "compiler.mjs" }

/** Starts a command, and waits until it prints or answers a text. */
export async function start(argv: readonly string[], ready: RegExp, typed = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: makeProject(files),
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  child.stdin.write(typed)
  let text = ""
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        if (ready.test(text)) resolve()
      })
    child.once("close", () => reject(new Error(text)))
  })
  return child
}

const hello = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})}\n`

/** Signals that end a command, and the exit code for each. */
export const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 0],
] as const

/** Commands, what each prints or answers when it runs, and what is typed. */
export const commands: ReadonlyArray<readonly [argv: readonly string[], ready: RegExp, typed?: string]> = [
  [["dev", "--port", "0"], /Local: /],
  [["css", "watch"], /built/],
  [["test", "--watch"], /Waiting for changes/],
  [["openapi", "serve", "--port", "0"], /Explorer: /],
  [["mcp", "serve"], /serverInfo/, hello],
]

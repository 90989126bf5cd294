/** Tests of named pipes in place of the files with variables: only a server reads them. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { program } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

const sources = {
  "app/route.ts": route("hello"),
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true } }\n',
  "app/hello.tpl": "template Hello() {\n  <p>hello</p>\n}\n",
  "styles/other.css": "",
}

/** The longest time of a command in milliseconds. A command that waits for a pipe never ends. */
const patience = 30_000

async function run(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  const late = setTimeout(() => child.kill("SIGKILL"), patience)
  const [code, signal] = await once(child, "close")
  clearTimeout(late)
  return { code: code ?? signal, output }
}

function withPipe(file: string): string {
  const root = makeProject(sources)
  const path = join(root, file)
  rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync("mkfifo", [path])
  return root
}

for (const file of [".env", ".env.local"]) {
  test(`only a server reads ${file}, which secret managers may create as a named pipe`, async () => {
    const root = withPipe(file)
    for (const command of ["routes", "validate", "build --target node"])
      assert.is((await run(root, command.split(" "))).code, 0, command)
  })
}

test.run()

/** Tests of `npm start` in a clone: `fw dev` runs the example, and leaves no file that git would commit. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, existsSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const builder = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", maxBuffer: 1e8 })
}

/** Clones the checkout in its current state, installed and built. */
function clone(): string {
  const directory = project({})
  const files = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
  const present = files.filter((file) => file !== "" && existsSync(join(root, file)))
  // The times of the files are kept, because the scripts recognize by them that the build is up to date.
  execFileSync("cp", ["-a", "--parents", "-t", directory, "dist", ...present], { cwd: root })
  git(directory, "init", "--quiet")
  git(directory, "add", "--all")
  git(directory, "commit", "--quiet", "--message", "All of it")
  // .gitignore names the directory, which does not include a link.
  appendFileSync(join(directory, ".git/info/exclude"), "node_modules\n")
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  return directory
}

test("npm start leaves the checkout clean, and follows changes of the styles", async () => {
  const compiler = execFileSync(process.execPath, [builder], { encoding: "utf8" }).trim().split("\n").at(-1)
  const directory = clone()
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: directory,
    env: { ...process.env, PORT: "0", FW_CSS_BINARY: compiler, NODE_V8_COVERAGE: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(output) && resolve()
      for (const stream of [child.stdout, child.stderr]) stream.on("data", look)
      child.once("close", () => reject(new Error(output)))
      look()
    })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  await says(/Local: [\s\S]*styles built|styles built[\s\S]*Local: /)
  assert.is(git(directory, "status", "--porcelain"), "")
  output = ""
  writeFileSync(join(directory, "examples/tasks/app/more.tpl"), 'template More() {\n  <p class="mt-[77px]"></p>\n}\n')
  await says(/styles built/)
  child.kill("SIGTERM")
  await once(child, "close")
  // Git lists only the change and its styles. The program has ended, so it does not write meanwhile.
  assert.is(
    git(directory, "status", "--porcelain"),
    " M examples/tasks/static/css/output.css\n?? examples/tasks/app/more.tpl\n",
  )
})

test.run()

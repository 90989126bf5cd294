/** Tests of the completion scripts in zsh at a terminal, and in fish. */
import { execFileSync, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../support/bin/cli/command.ts"

const cwd = project({ "src/a": "", "static/a": "", "style.css": "" })
for (const shell of ["zsh", "fish"]) {
  const { stdout } = await fw(["completion", shell])
  writeFileSync(join(cwd, `fw.${shell}`), stdout)
}

/** Lines before the tab key, and the offered words. */
const lines: ReadonlyArray<readonly [line: string, offered: string[]]> = [
  ["fw c", ["completion", "css"]],
  ["fw generate p", ["page", "proxy"]],
  ["fw --json generate p", ["page", "proxy"]],
  ["fw generate middleware -t ", ["auth", "blank", "cors", "logging", "timing"]],
  ["fw generate middleware x --template ", ["auth", "blank", "cors", "logging", "timing"]],
  ["fw routes --", ["--app-dir", "--explain", "--help", "--json", "--unlinked", "--version"]],
  ["fw completion ", ["bash", "fish", "zsh"]],
]
/** Lines with one possible completion, and the completed lines. */
const unique: ReadonlyArray<readonly [line: string, whole: string]> = [
  ["fw gen", "fw generate"],
  ["fw generate proxy --template=m", "fw generate proxy --template=maintenance"],
  ["fw generate route -m GET,D", "fw generate route -m GET,DELETE"],
  ["fw generate page x --w", "fw generate page x --with-layout"],
  ["fw routes -d sr", "fw routes -d src/"],
  ["fw css build -o sty", "fw css build -o style.css"],
]

test("fish offers what may come next", () => {
  const complete = (line: string) => {
    const args = ["-N", "-c", `source fw.fish; complete -C '${line}'`]
    const printed = execFileSync("fish", args, { cwd, encoding: "utf8", env: { ...process.env, HOME: cwd } })
    return printed.split("\n").flatMap((text) => (text === "" ? [] : [text.split("\t")[0] as string]))
  }
  for (const [line, offered] of lines) assert.equal(complete(line).sort(), offered, line)
  for (const [line, whole] of unique) assert.equal(complete(line), [whole.split(" ").at(-1)], line)
})

test("zsh offers what may come next when the tab key is pressed", async () => {
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: "dumb" }
  // zsh needs its own terminal, because its line editor does the completion.
  const child = spawn("script", ["-qfec", "zsh -f -i", "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  })
  let printed = ""
  let wake = () => {}
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text
    wake()
  })
  const until = async (mark: string): Promise<string> => {
    while (!printed.includes(mark)) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const end = printed.indexOf(mark) + mark.length
    const text = printed.slice(0, end)
    printed = printed.slice(end)
    return text
  }
  let count = 0
  /** Returns the terminal's output after a line and the tab key. Ctrl-U deletes the line again. */
  const tab = async (line: string) => {
    count += 1
    child.stdin.write(`${line}\t\x15echo DO''NE${count}-\n`)
    const shown = await until(`DONE${count}-\r\n`)
    await until(editing)
    return shown
  }
  // The line editor prints this text when it reads keys. Text that is typed earlier could be lost.
  const editing = "<ZLE>"
  const tells = 'unset zle_bracketed_paste; zle-line-init() { print -rn "<Z""LE>" }; zle -N zle-line-init'
  const settings = "PROMPT= RPROMPT=; unsetopt promptcr promptsp; stty cols 300"
  child.stdin.write(`${settings}; ${tells}; autoload -Uz compinit; compinit -u -D; source fw.zsh; echo REA''DY\n`)
  await until("READY\r\n")
  await until(editing)
  try {
    for (const [line, offered] of lines) {
      const shown = (await tab(line)).split("\r\n").slice(1, -2)
      const words = shown.flatMap((row) => (row.includes(" -- ") ? [row.split(" ")[0]] : row.trim().split(/\s+/)))
      assert.equal(
        words
          .filter((word) => word && !/^(?:fw|echo)/.test(word))
          .slice(0, offered.length)
          .sort(),
        offered,
        line,
      )
    }
    for (const [line, whole] of unique) assert.ok((await tab(line)).includes(`${whole}`), line)
  } finally {
    child.kill()
  }
})

test.run()

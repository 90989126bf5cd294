/**
 * Tests of `fw completion`: bash runs its script, the scripts of all shells contain all commands, and unknown
 * shells are refused. The slow tests run zsh and fish.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listEntries } from "../../../bin/completion/entries.ts"
import { commands } from "../../../bin/table.ts"
import { fw, project } from "../../support/bin/cli/command.ts"

const script = async (shell: string) => (await fw(["completion", shell])).stdout

/** Words of a command line as bash splits them, and the words that are offered. */
const lines: ReadonlyArray<readonly [words: string[], offered: string[]]> = [
  [["g"], ["generate"]],
  [
    ["generate", ""],
    ["route", "middleware", "proxy", "page", "form", "auth", "client", "templates"],
  ],
  [
    ["generate", "p"],
    ["proxy", "page"],
  ],
  [["--json", "ro"], ["routes"]],
  [["generate", "--json", "mid"], ["middleware"]],
  [
    ["generate", "middleware", "-t", ""],
    ["blank", "auth", "logging", "timing", "cors"],
  ],
  [["generate", "middleware", "audit", "--template", "t"], ["timing"]],
  [["generate", "proxy", "--template", "=", "m"], ["maintenance"]],
  [
    ["generate", "proxy", "--template", "="],
    ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"],
  ],
  [
    ["generate", "route", "-m", "P"],
    ["POST", "PUT", "PATCH"],
  ],
  [["generate", "route", "-m", "GET,D"], ["GET,DELETE"]],
  [["generate", "route", "x", "--w"], []],
  [["generate", "page", "x", "--w"], ["--with-layout"]],
  [
    ["routes", "--"],
    ["--json", "--help", "--version", "--explain", "--unlinked", "--app-dir"],
  ],
  [
    ["routes", "-d", "s"],
    ["src", "static files"],
  ],
  [
    ["css", "build", "-o", "st"],
    ["static files", "style.css"],
  ],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["dev", "--port", ""], []],
  [["new", ""], []],
  [["nonsense", ""], Object.keys(commands.commands)],
]

test("bash offers the commands, flags and values that may come next", async () => {
  const cwd = project({ "fw.bash": await script("bash"), "src/a": "", "static files/a": "", "style.css": "" })
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
  const calls = lines.map(([words], index) => {
    return `COMP_WORDS=(fw ${words.map(quote).join(" ")}); COMP_CWORD=${words.length}; _fw; echo "line ${index}"; printf '%s\\n' "\${COMPREPLY[@]}"`
  })
  const run = ["set -u", `source ${quote(join(cwd, "fw.bash"))}`, ...calls].join("\n")
  const printed = execFileSync("bash", ["--norc", "--noprofile", "-c", run], { cwd, encoding: "utf8" })
  const answers = printed.split(/^line \d+\n/m).slice(1)
  for (const [index, [words, offered]] of lines.entries()) {
    const found = (answers[index] ?? "").split("\n").filter((line) => line !== "")
    assert.equal(found.sort(), [...offered].sort(), `fw ${words.join(" ")}`)
  }
})

test("every shell's script has every command and every flag", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const text = await script(shell)
    for (const { path, commands: inner, flags } of listEntries(commands)) {
      assert.ok(
        text.includes(`'${path}'`) || text.includes(`\\'${path}\\'`),
        `the script of ${shell} does not contain the command ${path}`,
      )
      for (const { name } of inner)
        assert.ok(text.includes(name), `the script of ${shell} does not contain the name ${name}`)
      for (const { long } of flags)
        assert.ok(
          text.includes(shell === "fish" ? `-l ${long.slice(2)}` : long),
          `the script of ${shell} does not contain ${long} of the command ${path}`,
        )
    }
  }
})

test("file names are offered for an argument that is a file", async () => {
  assert.match(await script("bash"), /'format'\) if .*; else _fw_files -f "\$cur"; fi/)
  assert.match(await script("zsh"), /'format'\)\n.*\n {6}else _files; fi/)
  assert.match(await script("fish"), "complete -c fw -n '__fw_at \\'format\\'' -F\n")
})

test("quotes, colons and backslashes in a text are escaped for zsh and fish", async () => {
  const { renderFishScript: fishScript } = await import("../../../bin/completion/fish.ts")
  const { renderZshScript: zshScript } = await import("../../../bin/completion/zsh.ts")
  const summary = "It's a: \\ test"
  const entries = [{ path: "", commands: [{ name: "x", summary }], values: [], flags: [] }]
  assert.match(fishScript(entries), String.raw`-a 'x' -d 'It\'s a: \\ test'`)
  assert.match(zshScript(entries), String.raw`'x:It'\''s a\: \ test'`)
})

test("fw completion --json gives the script as data, and an unknown shell is an error that lists the known shells", async () => {
  const { stdout } = await fw(["completion", "BASH", "--json"])
  const { data } = JSON.parse(stdout)
  assert.equal(Object.keys(data), ["shell", "script"])
  assert.equal([data.shell, data.script], ["bash", await script("bash")])
  const refused = await fw(["completion", "zhs"])
  assert.equal([refused.code, refused.stdout], [2, ""])
  assert.match(refused.stderr, 'It takes bash, zsh or fish. Did you mean "zsh"?')
  assert.match((await fw(["completion"])).stderr, "fw completion needs <shell>")
})

test("fw completion --help says where to put the script", async () => {
  const { stdout } = await fw(["completion", "--help"])
  for (const place of [
    "bash-completion/completions/fw",
    "~/.zfunc/_fw",
    "~/.config/fish/completions/fw.fish",
    "Shell to complete for (bash, zsh, fish)",
  ])
    assert.ok(stdout.includes(place), `the help does not contain ${place}`)
})

test.run()

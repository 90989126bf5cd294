/** Tests of the texts that commands print: help, colours, columns and suggestions. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findNearest } from "../../../bin/cli/find-nearest.ts"
import { formatTable as columns } from "../../../bin/cli/layout.ts"
import { hasColor } from "../../../bin/cli/terminal.ts"
import { fakeIo, fw } from "../../support/bin/cli/command.ts"
import { makeTable } from "../../support/bin/cli/commands.ts"

const table = makeTable()

const help = suite("help")

help("the help of a group lists its commands", async () => {
  const ran = await fw(["--help"], {}, table)
  assert.equal(ran, {
    code: 0,
    stderr: "",
    stdout: `A tool for tests.

Usage: fw <command>

Commands:
  list-all       Do one thing
  generate       Write new files
  openapi        Describe the API
  noisy          Do one thing
  wait           Do one thing

Global flags:
      --json     Print the result, or the failure, as JSON
  -h, --help     Show this help
      --version  Show the version of fw

Run "fw <command> --help" for more about a command.
Run "fw help <code>" for more about an error, such as "fw help port_in_use".
`,
  })
  assert.equal(await fw([], {}, table), ran)
})

help("the help of a group inside another group shows the whole name of the inner group", async () => {
  const { stdout } = await fw(["generate", "deep", "-h"], {}, table)
  assert.match(stdout, "Deeper still.\n\nUsage: fw generate deep <command>\n\nCommands:\n  down ")
})

help("the help of a command shows its arguments and flags with their values, within 80 columns", async () => {
  const { stdout } = await fw(["generate", "route", "--help"], {}, table)
  assert.is(
    stdout,
    `Write a route file.

One handler for each method, in <app-dir>/api/<path>. A file that is there is
left alone. Missing directories are made.

Usage: fw generate route <path> [from-file] [flags]

Arguments:
  <path>                   Where, below app/api: users/[id]
  [from-file]              A file to begin with

Flags:
  -m, --methods <methods>  Methods to write (GET, POST, PUT, PATCH, DELETE;
                           default: GET)
  -d, --app-dir <dir>      Route directory (default: app)
      --title <title>      Title (default: the project's name)
  -p, --port <port>        Port (default: PORT or 3000)
      --depth <depth>      A number that may be negative and has no default
      --tags <tags>        Tags
  -f, --format <format>    Format of what is written (json, yaml; default: json)
  -n, --dry-run            Write nothing

Global flags:
      --json               Print the result, or the failure, as JSON
  -h, --help               Show this help
      --version            Show the version of fw

Examples:
  fw generate route users
  fw generate route users/[id] -m GET,PUT
`,
  )
})

help("a flag that replaces a global flag is listed once", async () => {
  const { stdout } = await fw(["openapi", "generate", "--help"], {}, table)
  assert.match(stdout, "Flags:\n      --version <version>  Version of the API (default: 1.0.0)\n")
  assert.is(stdout.split("--version").length, 2)
})

help("lines of help fit narrow terminals, and have at most 100 characters in wide terminals", async () => {
  for (const width of [40, 60, 80, 100, 300]) {
    const { stdout } = await fw(["generate", "route", "--help"], { columns: width }, table)
    const prose = stdout.split("\n").filter((line) => !/^(Usage| {2}fw )/.test(line))
    const longest = Math.max(...prose.map((line) => line.length))
    assert.ok(
      longest <= Math.min(Math.max(width, 52), 100),
      `a line has ${longest} characters in a terminal of ${width} columns`,
    )
  }
})

help("--help --json prints the help as data", async () => {
  const { stdout } = await fw(["openapi", "generate", "--help", "--json"], {}, table)
  assert.equal(JSON.parse(stdout), {
    success: true,
    data: {
      usage: "fw openapi generate [flags]",
      summary: "Write the OpenAPI document",
      flags: [{ name: "--version <version>", description: "Version of the API (default: 1.0.0)" }],
      globalFlags: [
        { name: "--json", description: "Print the result, or the failure, as JSON" },
        { name: "-h, --help", description: "Show this help" },
      ],
    },
  })
})

help.run()

const looks = suite("terminal")

const colors: ReadonlyArray<readonly [Record<string, string>, boolean, boolean]> = [
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
]
for (const [env, isTerminal, expected] of colors) {
  looks(
    `${JSON.stringify(env)} ${isTerminal ? "on a terminal" : "in a pipe"}: colours are ${expected ? "on" : "off"}`,
    () => {
      assert.is(hasColor(fakeIo({ isTerminal }).io.stdout, env), expected)
    },
  )
}

looks("help and failures are coloured on a terminal", async () => {
  assert.match((await fw(["--help"], { isTerminal: true }, table)).stdout, "\x1b[1mCommands:\x1b[22m")
  assert.match((await fw(["bogus"], { isTerminal: true }, table)).stderr, "\x1b[31m\x1b[1merror:")
  const plain = await fw(["--help"], { isTerminal: true, env: { NO_COLOR: "1" } }, table)
  assert.equal(plain, await fw(["--help"], {}, table))
})

looks("the columns of a table are as wide as their widest cell", () => {
  assert.is(
    columns([
      ["a", "bb", "c"],
      ["aaa", "b"],
    ]),
    "  a    bb  c\n  aaa  b\n",
  )
  assert.is(columns([]), "")
})

const guesses: ReadonlyArray<readonly [string, string | undefined]> = [
  ["routes", "routes"],
  ["rotues", "routes"],
  ["route", "routes"],
  ["ROUTES", "routes"],
  ["bild", "build"],
  ["ro", "routes"],
  ["dve", "dev"],
  ["r", undefined],
  ["xyz", undefined],
  ["", undefined],
]
for (const [word, expected] of guesses) {
  looks(`for "${word}" the suggestion is ${expected ?? "nothing"}`, () => {
    assert.is(findNearest(word, ["routes", "dev", "build"]), expected)
  })
}

looks.run()

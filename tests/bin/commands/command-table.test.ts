/** Compares the table of commands with the specification: every command, flag, short form and default. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Command, type Flag, type Group, isGroup } from "../../../bin/cli/spec.ts"
import { commands } from "../../../bin/table.ts"
import { fw } from "../../support/bin/cli/command.ts"

type Default = string | number | false | undefined
/**
 * The flags of each command as `flag` or `flag/f`, with their defaults: false for a switch, undefined if the
 * command computes the default when it runs.
 */
const specified: Readonly<Record<string, Readonly<Record<string, Default>>>> = {
  // Without a name, the command asks for a name.
  "new [name]": { "api-only": false, "skip-prompts": false },
  dev: { "port/p": 3000, "host/H": "0.0.0.0" },
  build: { "output/o": undefined, os: undefined, arch: undefined },
  routes: { "app-dir/d": "app" },
  format: { check: false, stdin: undefined },
  "generate route <path>": { "methods/m": undefined, "app-dir/d": "app" },
  "generate middleware <name>": { "path/p": "", "template/t": "blank", "app-dir/d": "app" },
  "generate proxy": { "template/t": "blank", "app-dir/d": "app" },
  "generate page <path>": { "with-layout": false, "app-dir/d": "app" },
  "generate form <path>": { "fields/f": undefined, "app-dir/d": "app" },
  "css build": { "input/i": "styles/input.css", "output/o": "static/css/output.css" },
  "css watch": { "input/i": "styles/input.css", "output/o": "static/css/output.css" },
  "css install": {},
  "css info": {},
  "openapi generate": {
    "output/o": "openapi.json",
    "format/f": "json",
    title: undefined,
    version: "1.0.0",
    description: undefined,
    server: undefined,
    "app-dir/d": "app",
    openapi30: false,
  },
  "openapi serve": {
    "port/p": 8080,
    spec: undefined,
    "app-dir/d": "app",
    title: undefined,
    version: "1.0.0",
  },
  "mcp serve": { "workdir/w": "." },
  lsp: { stdio: false },
}

/** Valid values of flags. */
const values: Readonly<Record<string, readonly string[]>> = {
  "build os": ["linux", "darwin", "windows"],
  "build arch": ["amd64", "arm64"],
  "generate middleware template": ["blank", "auth", "logging", "timing", "cors"],
  "generate proxy template": ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"],
  "openapi generate format": ["json", "yaml"],
}

function commandAt(words: readonly string[]): Command {
  const entry = words.reduce<Command | Group | undefined>(
    (group, word) => (group && isGroup(group) ? group.commands[word] : undefined),
    commands,
  )
  if (!entry || isGroup(entry)) throw new Error(`there is no command fw ${words.join(" ")}`)
  return entry
}

/** Returns the default of a flag. A text about a computed default begins with the usual value. */
function getDefault(flag: Flag): unknown {
  if (flag.type === "boolean") return false
  const shown = "shownDefault" in flag ? /^([\w./]+), (?:or|in) /.exec(flag.shownDefault ?? "")?.[1] : undefined
  return flag.default ?? shown
}

for (const [line, flags] of Object.entries(specified)) {
  test(`fw ${line} has the flags and defaults of the specification`, () => {
    const words = line.replace(/ ?[<[]\w+[>\]]/, "")
    const { spec } = commandAt(words.split(" "))
    const argument = /<(\w+)>/.exec(line)?.[1]
    assert.equal(
      (spec.arguments ?? []).filter(({ optional }) => !optional).map(({ name }) => name),
      argument ? [argument] : [],
    )
    const may = /\[(\w+)\]/.exec(line)?.[1]
    if (may)
      assert.ok(
        spec.arguments?.some(({ name, optional }) => name === may && optional),
        `the argument ${may} is missing, or it is not optional`,
      )
    for (const [key, expected] of Object.entries(flags)) {
      const [name = "", short] = key.split("/")
      const flag = spec.flags?.[name]
      assert.ok(flag, `--${name} is missing`)
      assert.equal([flag.short, getDefault(flag)], [short, expected], `--${name}`)
      const words_ = values[`${words} ${name}`]
      if (words_) assert.equal("values" in flag ? flag.values : [], words_)
    }
  })
}

test("the default of --methods is GET for a path that ends in a name", () => {
  const flag = commandAt(["generate", "route"]).spec.flags?.methods
  assert.ok(flag?.type === "list")
  assert.match(flag.shownDefault ?? "", /^GET;/)
})

/** Returns the words of every command. */
function all(entry: Command | Group, path: readonly string[] = []): (readonly string[])[] {
  if (!isGroup(entry)) return [path]
  return Object.entries(entry.commands).flatMap(([name, inner]) => all(inner, [...path, name]))
}

test("every command has help, as text in 80 columns and as data", async () => {
  for (const path of all(commands)) {
    const { spec } = commandAt(path)
    assert.not.match(spec.summary, /[.!?]$/)
    const text = await fw([...path, "--help"])
    assert.equal([text.code, text.stderr], [0, ""], path.join(" "))
    assert.ok(text.stdout.startsWith(spec.summary.slice(0, 20)))
    const long = text.stdout.split("\n").filter((line) => line.length > 80 && !/^ {2}fw /.test(line))
    assert.equal(long, [], path.join(" "))
    for (const flag of [...Object.keys(spec.flags ?? {}), "json", "help"]) assert.match(text.stdout, `--${flag}`)
    const { success, data } = JSON.parse((await fw([...path, "--help", "--json"])).stdout)
    assert.ok(success && data.usage.startsWith(`fw ${path.join(" ")}`))
  }
})

test("every command refuses an unknown flag, also with --json", async () => {
  for (const path of all(commands)) {
    const { code, stdout } = await fw([...path, "--json", "--no-such-flag"])
    assert.equal([code, JSON.parse(stdout).error.code], [2, "unknown_flag"], path.join(" "))
  }
})

test("every example of a command is a valid command line", async () => {
  const { parseCommandLine: parse } = await import("../../../bin/cli/args.ts")
  for (const path of all(commands)) {
    for (const example of commandAt(path).spec.examples ?? []) {
      const first = example.split(/ (?:&&|>) | {3,}/)[0] as string
      assert.is(parse(first.split(" ").slice(1), commands, {}).kind, "run", example)
    }
  }
})

test.run()

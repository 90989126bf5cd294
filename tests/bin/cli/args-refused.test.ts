/** Tests of the command line parser: what it refuses, with the message and the fix. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { parseCommandLine } from "../../../bin/cli/args.ts"
import { UsageError } from "../../../bin/messages/usage.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeTable } from "../../support/bin/cli/commands.ts"

const table = makeTable()
const refused = suite("refusals")

const route1 = "generate route users"
const wrong: ReadonlyArray<readonly [string, string, string, string]> = [
  ["genrate", "unknown_command", 'there is no command "fw genrate"', 'Did you mean "fw generate"?'],
  ["gen", "unknown_command", 'there is no command "fw gen"', 'Did you mean "fw generate"?'],
  ["GENERATE", "unknown_command", 'there is no command "fw GENERATE"', 'Did you mean "fw generate"?'],
  ["bogus", "unknown_command", 'there is no command "fw bogus"', 'See "fw --help".'],
  ["constructor", "unknown_command", 'there is no command "fw constructor"', 'See "fw --help".'],
  ["generate ruote", "unknown_command", 'there is no command "fw generate ruote"', 'Did you mean "fw generate route"?'],
  ["generate", "missing_command", "fw generate needs a command: route, deep", 'See "fw generate --help".'],
  ["--jsn list-all", "unknown_flag", 'fw list-all has no flag "--jsn"', 'Did you mean "--json"?'],
  ["-V", "unknown_flag", 'fw has no flag "-V"', 'See "fw --help".'],
  ["-- list-all", "missing_command", 'fw needs a command before "--"', 'See "fw --help".'],
  ["--port 80 list-all", "unknown_command", 'there is no command "fw 80"', 'See "fw --help".'],
  [`${route1} --appdir x`, "unknown_flag", 'fw generate route has no flag "--appdir"', 'Did you mean "--app-dir"?'],
  [`${route1} --metods=GET`, "unknown_flag", 'fw generate route has no flag "--metods"', 'Did you mean "--methods"?'],
  [`${route1} --zzzzzz`, "unknown_flag", 'fw generate route has no flag "--zzzzzz"', 'See "fw generate route --help".'],
  [
    `${route1} --toString`,
    "unknown_flag",
    'fw generate route has no flag "--toString"',
    'See "fw generate route --help".',
  ],
  [`${route1} --=x`, "unknown_flag", 'fw generate route has no flag "--"', 'See "fw generate route --help".'],
  [`${route1} -x`, "unknown_flag", 'fw generate route has no flag "-x"', 'See "fw generate route --help".'],
  [`${route1} -port 80`, "unknown_flag", 'fw generate route has no flag "-port"', 'Did you mean "--port"?'],
  [`${route1} -json`, "unknown_flag", 'fw generate route has no flag "-json"', 'Did you mean "--json"?'],
  [`${route1} -nx`, "unknown_flag", 'fw generate route has no flag "-nx"', 'See "fw generate route --help".'],
  [
    `${route1} --no-json`,
    "unknown_flag",
    'fw generate route has no flag "--no-json"',
    'See "fw generate route --help".',
  ],
  [`${route1} --port`, "missing_value", "--port needs a value", 'Write "--port <port>".'],
  [`${route1} --app-dir`, "missing_value", "--app-dir needs a value", 'Write "--app-dir <dir>".'],
  [
    `${route1} -d -n`,
    "missing_value",
    "--app-dir needs a value",
    'Write "--app-dir <dir>", or "--app-dir=-n" if that is the value.',
  ],
  [
    `${route1} -d -- x`,
    "missing_value",
    "--app-dir needs a value",
    'Write "--app-dir <dir>", or "--app-dir=--" if that is the value.',
  ],
  ["openapi generate --version", "missing_value", "--version needs a value", 'Write "--version <version>".'],
  [`${route1} --port 1 -p 2`, "repeated_flag", "--port is given twice", "Give it once."],
  [`${route1} -n --dry-run`, "repeated_flag", "--dry-run is given twice", "Give it once."],
  [`${route1} --port 65536`, "invalid_value", '--port cannot be "65536"', "It takes a whole number from 0 to 65535."],
  [`${route1} --port -1`, "invalid_value", '--port cannot be "-1"', "It takes a whole number from 0 to 65535."],
  [`${route1} --port 80.5`, "invalid_value", '--port cannot be "80.5"', "It takes a whole number from 0 to 65535."],
  [`${route1} --port 0x50`, "invalid_value", '--port cannot be "0x50"', "It takes a whole number from 0 to 65535."],
  [`${route1} --port=`, "invalid_value", '--port cannot be ""', "It takes a whole number from 0 to 65535."],
  [
    `${route1} --dry-run=maybe`,
    "invalid_value",
    '--dry-run cannot be "maybe"',
    'Write "--dry-run" without a value, or "--dry-run=false".',
  ],
  [
    `${route1} --json=maybe`,
    "invalid_value",
    '--json cannot be "maybe"',
    'Write "--json" without a value, or "--json=false".',
  ],
  [`${route1} --format xml`, "invalid_value", '--format cannot be "xml"', "It takes json or yaml."],
  [
    `${route1} --format yml`,
    "invalid_value",
    '--format cannot be "yml"',
    'It takes json or yaml. Did you mean "yaml"?',
  ],
  [
    `${route1} -m GET,PSOT`,
    "invalid_value",
    '--methods cannot be "PSOT"',
    'It takes GET, POST, PUT, PATCH or DELETE. Did you mean "POST"?',
  ],
  [
    `${route1} -m GET,,PUT`,
    "invalid_value",
    '--methods cannot be "GET,,PUT"',
    "Write values with one comma between them.",
  ],
  [`${route1} -m=`, "invalid_value", '--methods cannot be ""', "Write values with one comma between them."],
  ["generate route", "missing_argument", "fw generate route needs <path>", 'See "fw generate route --help".'],
  [
    "generate route a b c",
    "unexpected_argument",
    'fw generate route takes only <path> [from-file], but there is "c"',
    'See "fw generate route --help".',
  ],
  ["list-all x", "unexpected_argument", 'fw list-all takes no argument, but there is "x"', 'See "fw list-all --help".'],
]
for (const [line, code, message, fix] of wrong) {
  refused(`fw ${line} is refused`, () => {
    const error = refusal(line.split(" "))
    assert.equal({ code: error.code, message: error.message, fix: error.fix }, { code, message, fix })
  })
}

refused("an empty argument counts as a missing argument", () => {
  assert.is(refusal(["generate", "route", ""]).message, "fw generate route needs <path>")
})

refused("an invalid environment variable is refused, and the message contains its name", () => {
  assert.is(refusal(["generate", "route", "users"], { PORT: "http" }).message, 'PORT cannot be "http"')
})

const otherNames: ReadonlyArray<readonly [string, string]> = [
  ["new x --yes", "skip-prompts"],
  ["new x -y", "skip-prompts"],
  ["generate route x --overwrite", "force"],
  ["openapi generate --out x", "output"],
  ["dev --hostname x", "host"],
]
for (const [line, flag] of otherNames) {
  refused(`the message for fw ${line} suggests --${flag}`, async () => {
    const { code, stderr } = await fw(line.split(" "))
    assert.is(code, 2)
    assert.ok(stderr.includes(`Did you mean "--${flag}"?`), stderr)
  })
}

refused.run()

function refusal(argv: string[], env: Record<string, string> = {}): UsageError {
  try {
    parseCommandLine(argv, table, env)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error("the parser refused nothing")
}

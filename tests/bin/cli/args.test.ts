/**
 * Tests of the command line parser: what each way to write an argument means. args-refused.test.ts tests what is
 * refused.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { parseCommandLine, wantsJSON } from "../../../bin/cli/args.ts"
import { addDefaults, type OptionsOf } from "../../../bin/cli/spec.ts"
import { makeTable, type openapi, route } from "../../support/bin/cli/commands.ts"

const table = makeTable()
const defaults = {
  path: "users",
  fromFile: undefined,
  methods: ["GET"],
  appDir: "app",
  title: undefined,
  port: 3000,
  depth: undefined,
  tags: [],
  format: "json",
  dryRun: false,
}

/** Parses a command line that is split at spaces, or an array for tokens with spaces. */
function options(line: string | string[], env: Record<string, string> = {}): Record<string, unknown> {
  const argv = typeof line === "string" ? line.split(" ").filter(Boolean) : line
  const request = parseCommandLine(argv, table, env)
  if (request.kind !== "run") throw new Error(`the command line asks for ${request.kind}, not for a command`)
  return { ...request.options }
}

const values = suite("values")

const accepted: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ["users", {}],
  ["users other.ts", { fromFile: "other.ts" }],
  ["users --app-dir src", { appDir: "src" }],
  ["--app-dir src users", { appDir: "src" }],
  ["users --app-dir=src", { appDir: "src" }],
  ["users --app-dir=", { appDir: "" }],
  ["users --app-dir=a=b", { appDir: "a=b" }],
  ["users --app-dir=-x", { appDir: "-x" }],
  ["users --app-dir -", { appDir: "-" }],
  ["users -d src", { appDir: "src" }],
  ["users -dsrc", { appDir: "src" }],
  ["users -d=src", { appDir: "src" }],
  ["users --port 0", { port: 0 }],
  ["users --port 65535", { port: 65535 }],
  ["users -p8080", { port: 8080 }],
  ["users --depth -3", { depth: -3 }],
  ["users --depth=-3", { depth: -3 }],
  ["users --methods GET,POST", { methods: ["GET", "POST"] }],
  ["users -m get -m post", { methods: ["GET", "POST"] }],
  ["users -m GET,GET", { methods: ["GET"] }],
  ["users --tags a,B", { tags: ["a", "B"] }],
  ["users --format YAML", { format: "yaml" }],
  ["users --dry-run", { dryRun: true }],
  ["users -n", { dryRun: true }],
  ["users --dry-run=false", { dryRun: false }],
  ["users -n=true", { dryRun: true }],
  ["--dry-run users", { dryRun: true }],
  ["users --json", {}],
  ["-- --port", { path: "--port" }],
  ["users -- -d", { fromFile: "-d" }],
  ["-n -- users --", { dryRun: true, fromFile: "--" }],
  ["-", { path: "-" }],
]
for (const [line, expected] of accepted) {
  values(`fw generate route ${line} gives ${JSON.stringify(expected)}`, () => {
    assert.equal(options(`generate route ${line}`), { ...defaults, ...expected })
  })
}

values("spaces around the values of a list are removed, and spaces around a text stay", () => {
  const found = options(["generate", "route", "users", "-m", " GET , PUT ", "--title", " My API "])
  assert.equal(found, { ...defaults, methods: ["GET", "PUT"], title: " My API " })
})

values("an environment variable wins over the default, and a flag wins over the variable", () => {
  assert.is(options("generate route users", { PORT: "4000" }).port, 4000)
  assert.is(options("generate route users --port 5000", { PORT: "4000" }).port, 5000)
  assert.is(options("generate route users", { PORT: "" }).port, 3000)
})

values("an environment variable that is not read is not checked", () => {
  assert.is(options("generate route users --port 5000", { PORT: "nonsense" }).port, 5000)
  assert.equal(options("openapi generate", { PORT: "nonsense" }), { version: "1.0.0" })
})

values("a flag --version of a command replaces the global flag --version", () => {
  assert.equal(options("openapi generate --version 2.1.0"), { version: "2.1.0" })
  assert.equal(options("openapi generate --version=2.1.0 --json"), { version: "2.1.0" })
})

values("groups can be nested at any depth, with global flags between the names", () => {
  assert.equal(options("generate deep down"), {})
  assert.equal(options("--json generate deep down --json"), {})
})

values("code that calls a command gets defaults for missing options", () => {
  assert.equal(addDefaults(route, { path: "users", port: 1 }), { ...defaults, port: 1 })
  assert.equal(addDefaults(route, { path: "users", title: undefined }), defaults)
})

values.run()

const kinds = suite("kinds of request")

const asked: ReadonlyArray<readonly [string, string, string?]> = [
  ["", "help", ""],
  ["--json", "help", ""],
  ["--help", "help", ""],
  ["-h", "help", ""],
  ["generate --help", "help", "generate"],
  ["--help generate", "help", "generate"],
  ["generate route --help", "help", "generate route"],
  ["generate route -h --bogus", "help", "generate route"],
  ["generate route --port nonsense --help", "help", "generate route"],
  ["generate route --port --help", "help", "generate route"],
  ["openapi generate --version --help", "help", "openapi generate"],
  ["list-all --version --help", "help", "list-all"],
  ["--version", "version"],
  ["--version --json", "version"],
  ["generate --version", "version"],
  ["generate route --version", "version"],
  ["--version openapi generate", "version"],
  ["list-all", "run", "list-all"],
  ["list-all --version=false", "run", "list-all"],
]
for (const [line, kind, path] of asked) {
  kinds(`"fw ${line}" asks for ${kind}`, () => {
    const request = parseCommandLine(line.split(" ").filter(Boolean), table, {})
    assert.is(request.kind, kind)
    if ("path" in request) assert.is(request.path.join(" "), path)
  })
}

kinds("--json counts only before --", () => {
  assert.is(wantsJSON(["--json"]), true)
  assert.is(wantsJSON(["x", "--json=true", "--bogus"]), true)
  assert.is(wantsJSON(["x", "--json=false"]), false)
  assert.is(wantsJSON(["x", "--", "--json"]), false)
})

kinds.run()

// If the types of these assignments differ, the type check fails.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [Key in keyof T]: T[Key] }
type RouteOptions = {
  readonly path: string
  readonly fromFile: string | undefined
  readonly methods: readonly ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[]
  readonly appDir: string
  readonly title: string | undefined
  readonly port: number
  readonly depth: number | undefined
  readonly tags: readonly string[]
  readonly format: "json" | "yaml"
  readonly dryRun: boolean
}
export const typed: [
  Equal<Flat<OptionsOf<typeof route>>, Flat<RouteOptions>>,
  Equal<Flat<OptionsOf<typeof openapi>>, { readonly version: string }>,
] = [true, true]

/**
 * Creates modules from the examples in doc comments: adds what they leave out for brevity, and checks what they
 * claim.
 */

/** A module that was created from an example. */
export interface ExampleModule {
  readonly code: string
  /**
   * The request that the example reads, if it is the body of a handler. The module then exports a function
   * `example`.
   */
  readonly request?: ExampleRequest
}

/** The request that an example says it reads, in the form of `app.request()`. */
export interface ExampleRequest {
  readonly path: string
  readonly init: RequestInit
  /** The answer that the example states, such as `201 {"id":7}`. */
  readonly answer?: string
}

/** Names that an example may use without an import, by the entry that exports them. */
export type Names = ReadonlyMap<string, readonly string[]>

/** The request that examples of handlers read. The doc comment of `Context` describes the same one. */
const usual = {
  target: "/users/7?page=2&tag=new&tag=hot",
  headers: { "X-Team": "blue", Cookie: "theme=dark" },
} as const

/** A schema of a user, which stands for one of any library. */
const userSchema = `const userSchema: StandardSchema<{ name: string }> = {
  "~standard": {
    version: 1,
    vendor: "example",
    validate(value) {
      const { name } = value as { name?: unknown }
      return typeof name === "string" ? { value: { name } } : { issues: [{ message: "required", path: ["name"] }] }
    },
  },
}`

/**
 * Creates a module.
 *
 * @param isHandler whether the example is the body of a handler: `c` is its context, and it may return an answer.
 * @param names the names to import, by entry. Of two equal names, the one of the first entry is imported.
 */
export function createModule(example: string, isHandler: boolean, names: Names): ExampleModule {
  const [imports, body] = readParts(example)
  const checked = body.map(checkedLine).join("\n")
  const schema = uses(checked, "userSchema") ? `${userSchema}\n` : ""
  const given = /\bapp\b/.test(checked) && !declares(checked, "app") && !isHandler
  const code = given ? `const app = new App({ logger: false })\n${checked}` : checked
  const head = [
    schema && 'import type { StandardSchema } from "fw"',
    'import * as $assert from "uvu/assert"',
    ...imports,
    ...importsFor(code, names, isHandler),
  ]
  // The module closes a server that an example leaves open: an open server would keep the process running.
  const end = /\bapp\.listen\(/.test(code) ? "\nawait app.shutdown()" : ""
  if (!isHandler) return { code: `${head.join("\n")}\n${schema}${onFreePort(code)}${end}\nexport {}\n` }
  const handler = `export async function example(c: Context<"id">) {\n${code}\n}`
  return { code: `${head.join("\n")}\n${schema}${handler}\n`, request: createRequest(example) }
}

/** Splits an example into the lines with imports, and the others. */
function readParts(example: string): [imports: string[], body: string[]] {
  const lines = example.split("\n")
  const isImport = (line: string) => /^import .* from "/.test(line)
  return [lines.filter(isImport), lines.filter((line) => !isImport(line))]
}

/**
 * Returns code that checks a line which ends in `// → value` or `// → throws Name`. The result of a handler is
 * checked on its answer.
 */
function checkedLine(line: string): string {
  const [, indent, code = "", expected = ""] = /^(\s*)(\S.*?)\s*\/\/ → (.*)$/.exec(line) ?? []
  if (indent === undefined || code.startsWith("return ")) return line
  const error = /^throws (\w+)$/.exec(expected)?.[1]
  if (error) return `${indent}$assert.throws(() => { ${code} }, (error: unknown) => error instanceof ${error})`
  return `${indent}$assert.equal(await (${code}), ${expected})`
}

function importsFor(code: string, names: Names, isHandler: boolean): string[] {
  const taken = new Set<string>()
  const needed = isHandler ? `${code}\nContext` : code
  return [...names].map(([entry, exported]) => {
    const used = exported.filter((name) => {
      if (taken.has(name) || declares(code, name) || !uses(needed, name)) return false
      taken.add(name)
      return true
    })
    return used.length > 0 ? `import { ${used.join(", ")} } from "${entry}"` : ""
  })
}

/** Returns true if code uses a name, except as a member or in a text. */
function uses(code: string, name: string): boolean {
  const bare = code.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/ .*/g, '""')
  return new RegExp(`(?<![.\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(bare)
}

function declares(code: string, name: string): boolean {
  return new RegExp(
    `^(?:export )?(?:async )?(?:const|let|function|class|interface|type) (?:\\{[^}\\n]*\\b)?${name}\\b`,
    "m",
  ).test(code)
}

/** Replaces port 3000, which may be in use on the machine that runs the examples. */
function onFreePort(code: string): string {
  return code.replace(/(port: |\blisten\()3000\b/g, "$10")
}

/**
 * Returns the request of an example. Its first line may be `// POST /users {"name":"Ada"}`, or have `name=Ada` for
 * a form, or `file=@name`.
 */
function createRequest(example: string): ExampleRequest {
  const answer = /^\s*return .*\/\/ → (.*)$/m.exec(example)?.[1]
  const said = answer === undefined ? {} : { answer }
  const [, asked] = /^\/\/ GET (\S+)$/m.exec(example) ?? []
  if (asked !== undefined) return { path: asked, init: { headers: usual.headers }, ...said }
  const [, method, path = "", body = ""] = /^\/\/ (POST|PUT|PATCH) (\S+) (.+)/.exec(example) ?? []
  if (method === undefined) return { path: usual.target, init: { headers: usual.headers }, ...said }
  return { path, init: { method, ...createContent(body) }, ...said }
}

function createContent(body: string): RequestInit {
  const [, field = "", fileMark, value = ""] = /^(\w+)=(@?)(.*)$/.exec(body) ?? []
  if (fileMark) {
    const form = new FormData()
    form.set(field, new File(["content"], value))
    return { body: form }
  }
  if (field) return { body: new URLSearchParams({ [field]: value }) }
  return { body, headers: { "Content-Type": body.startsWith("{") ? "application/json" : "text/plain" } }
}

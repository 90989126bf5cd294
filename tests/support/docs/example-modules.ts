/** Makes modules of the examples in doc comments: what they leave out for brevity is added, and what they claim is checked. */

/** A module made of an example. */
export interface ExampleModule {
  readonly code: string
  /** The request that the example reads, where it is the body of a handler; the module then exports that as `example`. */
  readonly request?: ExampleRequest
}

/** A request that an example says it reads, in the form that `app.request()` takes. */
export interface ExampleRequest {
  readonly path: string
  readonly init: RequestInit
  /** `201 {"id":7}`, where the example says what it answers. */
  readonly answer?: string
}

/** Names that an example may use without an import, by the entry that exports them. */
export type Names = ReadonlyMap<string, readonly string[]>

/** Code before handlers' examples. The doc comment of `Context` describes the same request. */
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
 * Makes a module.
 *
 * @param isHandler whether the example is what a handler does: `c` is its context, and it may return an answer.
 * @param names first those of the example's own entry.
 */
export function moduleOf(example: string, isHandler: boolean, names: Names): ExampleModule {
  const [imports, body] = partsOf(example)
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
  // The test lets go of what an example leaves open, as its port would be taken.
  const end = /\bapp\.listen\(/.test(code) ? "\nawait app.shutdown()" : ""
  if (!isHandler) return { code: `${head.join("\n")}\n${schema}${onFreePort(code)}${end}\nexport {}\n` }
  const handler = `export async function example(c: Context<"id">) {\n${code}\n}`
  return { code: `${head.join("\n")}\n${schema}${handler}\n`, request: requestOf(example) }
}

/** The lines with imports, and the others. */
function partsOf(example: string): [imports: string[], body: string[]] {
  const lines = example.split("\n")
  const isImport = (line: string) => /^import .* from "/.test(line)
  return [lines.filter(isImport), lines.filter((line) => !isImport(line))]
}

/** A line that ends in `// → value` checks that; `// → throws Name` too. What a handler returns is checked on its answer. */
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

/** Returns true if code uses a name, other than as a member or in a text. */
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

/** Port 3000 may be taken on the machine that runs the examples. */
function onFreePort(code: string): string {
  return code.replace(/(port: |\blisten\()3000\b/g, "$10")
}

/** The request of an example: its first line may be `// POST /users {"name":"Ada"}`, or `name=Ada` for a form, or `file=@name`. */
function requestOf(example: string): ExampleRequest {
  const answer = /^\s*return .*\/\/ → (.*)$/m.exec(example)?.[1]
  const said = answer === undefined ? {} : { answer }
  const [, asked] = /^\/\/ GET (\S+)$/m.exec(example) ?? []
  if (asked !== undefined) return { path: asked, init: { headers: usual.headers }, ...said }
  const [, method, path = "", body = ""] = /^\/\/ (POST|PUT|PATCH) (\S+) (.+)/.exec(example) ?? []
  if (method === undefined) return { path: usual.target, init: { headers: usual.headers }, ...said }
  return { path, init: { method, ...contentOf(body) }, ...said }
}

function contentOf(body: string): RequestInit {
  const [, field = "", fileMark, value = ""] = /^(\w+)=(@?)(.*)$/.exec(body) ?? []
  if (fileMark) {
    const form = new FormData()
    form.set(field, new File(["content"], value))
    return { body: form }
  }
  if (field) return { body: new URLSearchParams({ [field]: value }) }
  return { body, headers: { "Content-Type": body.startsWith("{") ? "application/json" : "text/plain" } }
}

/**
 * Tests of forms and queries with a schema: what the schema gets, which values a refused form shows again, and
 * which it never shows.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import { type Form, type FormOptions, newForm, type StandardSchema } from "../../../lib/index.ts"

type Rule = (value: unknown) => string | undefined

/** Returns a schema with a rule for each field, which records the values that it gets. */
function schema(rules: Readonly<Record<string, Rule>>, seen: unknown[] = []): StandardSchema<Record<string, unknown>> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value) {
        const given = value as Record<string, unknown>
        seen.push({ ...given })
        const issues = Object.entries(rules).flatMap(([name, rule]) => {
          const message = rule(given[name])
          return message === undefined ? [] : [{ message, path: [name] }]
        })
        return issues.length > 0 ? { issues } : { value: { ...given } }
      },
    },
  }
}
const text: Rule = (value) => (typeof value === "string" ? undefined : "not a text")
const filled: Rule = (value) => (typeof value === "string" && value !== "" ? undefined : "required")
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value)
const list: Rule = (value) => (Array.isArray(value) ? undefined : "not a list")
const short: Rule = (value) => (typeof value === "string" && value.length < 4 ? undefined : "too long")

/** A form, and the result of its schema: an object if it is valid, otherwise the issues. */
const cases: ReadonlyArray<{
  readonly name: string
  readonly sent: string
  readonly rules: Readonly<Record<string, Rule>>
  readonly data?: unknown
  readonly issues?: Readonly<Record<string, string>>
}> = [
  { name: "plain fields are texts", sent: "a=1&b=2", rules: { a: text, b: text }, data: { a: "1", b: "2" } },
  { name: "an empty field is absent", sent: "a=", rules: { a: optional(filled) }, data: {} },
  {
    name: "an empty field is an empty text if a text is required",
    sent: "a=",
    rules: { a: text },
    data: { a: "" },
  },
  {
    name: "an empty field that must be filled is refused",
    sent: "a=",
    rules: { a: filled },
    issues: { a: "required" },
  },
  { name: "a missing field is refused", sent: "b=1", rules: { a: text }, issues: { a: "not a text" } },
  { name: "a repeated name is a list", sent: "a=1&a=2", rules: { a: list }, data: { a: ["1", "2"] } },
  { name: "a single value of a list is a list", sent: "a=1", rules: { a: list }, data: { a: ["1"] } },
  { name: "an empty value of a list stays", sent: "a=&a=2", rules: { a: list }, data: { a: ["", "2"] } },
  {
    name: "a text that is refused keeps its message",
    sent: "a=12345",
    rules: { a: short },
    issues: { a: "too long" },
  },
  {
    name: "each of several fields is checked separately",
    sent: "a=12345&b=&c=1&d=",
    rules: { a: short, b: filled, c: list, d: optional(filled) },
    issues: { a: "too long", b: "required" },
  },
  {
    name: "__proto__ is a field like any other",
    sent: "__proto__=1&a=1",
    rules: { a: text },
    data: { a: "1", ["__proto__"]: "1" },
  },
  { name: "an empty form is valid", sent: "", rules: { a: optional(text) }, data: {} },
]

/** Collects the errors that an app's handlers throw. */
function collectBugs(app: App): unknown[] {
  const seen: unknown[] = []
  app.onError((_, error) => {
    seen.push(error)
    return undefined as never
  })
  return seen
}

const forms = suite("forms")

async function read(
  body: FormData | URLSearchParams,
  rules: Readonly<Record<string, Rule>>,
  options?: FormOptions,
): Promise<Form<unknown>> {
  const app = new App({ logger: false })
  let found: Form<unknown> | undefined
  app.post("/", async (c) => {
    found = await c.readForm(schema(rules), options)
    return c.noContent()
  })
  const { status } = await app.request("/", { method: "POST", body })
  assert.is(status, 204)
  return found as Form<unknown>
}

function multipart(text: string): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  return form
}

for (const { name, sent, rules, data, issues = {} } of cases) {
  for (const [kind, make] of [
    ["urlencoded", (text: string) => new URLSearchParams(text)],
    ["multipart", multipart],
  ] as const) {
    forms(`readForm, ${kind}: ${name}`, async () => {
      const form = await read(make(sent), rules)
      assert.is(form.ok, data !== undefined)
      assert.equal({ ...(form.data as object | undefined) }, { ...(data as object | undefined) })
      assert.equal({ ...form.issues }, issues)
    })
  }
  forms(`bindForm and bindQuery: ${name}`, async () => {
    const app = new App({ logger: false })
    app.post("/", async (c) => c.json(200, await c.bindForm(schema(rules))))
    app.get("/", async (c) => c.json(200, await c.bindQuery(schema(rules))))
    const answers = [
      ["the form is not valid", await app.request("/", { method: "POST", body: new URLSearchParams(sent) })],
      ["the query is not valid", await app.request(`/?${sent}`)],
    ] as const
    for (const [message, answer] of answers) {
      assert.is(answer.status, data ? 200 : 400)
      const list = Object.entries(issues).map(([name, message]) => ({ message, path: [name] }))
      const refused = { error: "bad_request", message, issues: list }
      assert.equal(await answer.json(), data ? JSON.parse(JSON.stringify(data)) : refused)
    }
  })
}

forms("a refused form shows the values that were sent, without secrets and files", async () => {
  const form = new FormData()
  const fields = {
    name: "Ada",
    password: "p1",
    new_password: "p2",
    passwordAgain: "p3",
    userPin: "1",
    csrf_token: "t",
    "card[cvc]": "123",
    shipping: "fast",
    passenger: "two",
    spinner: "on",
    answer: "blue",
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append("tags", "a")
  form.append("tags", "b")
  form.append("photo", new File(["x"], "x.png"))
  const { ok, values, lists } = await read(form, { missing: text }, { secret: ["answer"] })
  assert.is(ok, false)
  assert.equal({ ...values }, { name: "Ada", shipping: "fast", passenger: "two", spinner: "on", tags: "a" })
  assert.equal(lists.tags, ["a", "b"])
})

forms("a field shows its first message, and a message about the whole form has an empty name", async () => {
  const both: StandardSchema<unknown> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({
        issues: [
          { message: "first", path: [{ key: "a" }, 0] },
          { message: "second", path: ["a"] },
          { message: "the whole" },
        ],
      }),
    },
  }
  const app = new App({ logger: false })
  app.post("/", async (c) => c.json(422, (await c.readForm(both)).issues))
  const answer = await app.request("/", { method: "POST", body: new URLSearchParams("a=1") })
  assert.equal(await answer.json(), { "": "the whole", a: "first" })
})

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
/** Files of the field `f`, the options, and the issue about them. */
const files: ReadonlyArray<readonly [name: string, given: readonly File[], FormOptions, issue: string | undefined]> = [
  ["a picture", [new File([png], "a.txt", { type: "text/plain" })], { types: ["image/png"] }, undefined],
  ["any picture", [new File([png], "a.png")], { types: ["image/*"] }, undefined],
  [
    "a text called picture",
    [new File(["hello"], "a.png", { type: "image/png" })],
    { types: ["image/*"] },
    "Only images are allowed.",
  ],
  ["a page called picture", [new File(["<html><svg>"], "a.png")], { types: ["image/*"] }, "Only images are allowed."],
  [
    "SVG among pictures",
    [new File(["<svg xmlns='x'>"], "a.svg")],
    { types: ["image/*"] },
    "Only PNG, JPEG, GIF, WebP, AVIF, HEIC, BMP, ICO and TIFF images are allowed, not SVG.",
  ],
  [
    "SVG among pictures and other files",
    [new File(["<svg xmlns='x'>"], "a.svg")],
    { types: ["image/*", "application/pdf"] },
    "Only PNG, JPEG, GIF, WebP, AVIF, HEIC, BMP, ICO and TIFF images and PDF files are allowed, not SVG.",
  ],
  [
    "SVG among pictures of one type",
    [new File(["<svg xmlns='x'>"], "a.svg")],
    { types: ["image/png"] },
    "Only PNG images are allowed.",
  ],
  [
    "SVG where it is allowed by name",
    [new File(["<?xml version='1.0'?>\n<svg>"], "a.svg")],
    { types: ["image/svg+xml"] },
    undefined,
  ],
  ["a picture called PDF", [new File([png], "a.pdf")], { types: ["application/pdf"] }, "Only PDF files are allowed."],
  ["a file that is too large", [new File([png], "a.png")], { maxFile: 9 }, "The file is larger than 9 bytes."],
  ["a file of the largest allowed size", [new File([png], "a.png")], { maxFile: 10 }, undefined],
  [
    "a second file where one is allowed",
    [new File([png], "a.png"), new File([png], "b.png")],
    { maxFiles: 1 },
    "Choose only one file.",
  ],
  ["an empty file input", [new File([], "")], { types: ["image/png"], maxFiles: 1 }, undefined],
]
for (const [name, given, options, issue] of files) {
  forms(`files: ${name} is ${issue === undefined ? "accepted" : "refused"}`, async () => {
    const form = new FormData()
    for (const file of given) form.append("f", file)
    const { ok, issues } = await read(form, {}, options)
    assert.is(ok, issue === undefined)
    assert.is(issues.f, issue)
  })
}

const accepted: ReadonlyArray<readonly [types: readonly string[], message: string]> = [
  [["image/png", "image/jpeg"], "Only PNG and JPEG images are allowed."],
  [["image/png", "image/jpeg", "image/webp"], "Only PNG, JPEG and WebP images are allowed."],
  [["image/*", "application/pdf"], "Only images and PDF files are allowed."],
  [["image/*", "image/svg+xml"], "Only images are allowed."],
  [["image/svg+xml"], "Only SVG images are allowed."],
  [["video/*"], "Only videos are allowed."],
  [["video/mp4", "audio/mpeg", "audio/wav"], "Only MP4 videos and MP3 and WAV audio files are allowed."],
  [["application/zip", "application/x-7z-compressed"], "Only ZIP and 7z files are allowed."],
  [["font/*"], "Only fonts are allowed."],
]
for (const [types, message] of accepted) {
  forms(`a file of none of the types ${types.join(", ")}: ${message}`, async () => {
    const form = new FormData()
    form.append("f", new File(["hello"], "a.png"))
    assert.is((await read(form, {}, { types })).issues.f, message)
  })
}

const sizes: ReadonlyArray<readonly [limit: number, shown: string]> = [
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1550, "1.5 kB"],
  [99_990, "99.9 kB"],
  [100_900, "100 kB"],
  [999_999, "999 kB"],
  [5_000_000, "5 MB"],
]
for (const [limit, shown] of sizes) {
  forms(`a limit of ${limit} bytes is shown as ${shown}`, async () => {
    const form = new FormData()
    form.append("f", new File([new Uint8Array(limit + 1)], "a.bin"))
    assert.is((await read(form, {}, { maxFile: limit })).issues.f, `The file is larger than ${shown}.`)
  })
}

forms("fileMessage() sets the messages about files, and gets what a translation needs", async () => {
  const form = new FormData()
  form.append("name", "")
  form.append("big", new File(["hello"], "a.txt"))
  form.append("kept", new File([png], "b.png"))
  form.append("more", new File([png], "c.png"))
  const seen: unknown[] = []
  const fileMessage: FormOptions["fileMessage"] = (problem) => {
    seen.push(problem)
    return `${problem.field}: ${problem.code}`
  }
  const options = { maxFile: 10, maxFiles: 2, types: ["image/png"], fileMessage }
  const { issues } = await read(form, { name: filled }, options)
  assert.equal({ ...issues }, { name: "required", big: "big: type", kept: "kept: again", more: "more: count" })
  const message = "Only PNG images are allowed."
  assert.equal(seen[0], { code: "type", types: ["image/png"], found: "", field: "big", message })
  assert.equal(seen[1], { code: "count", limit: 2, field: "more", message: "Choose at most 2 files." })
  assert.equal((await read(form, {}, { maxFile: 4, fileMessage })).issues.big, "big: size")
})

forms("a refused form says for each accepted file that it must be chosen again", async () => {
  const form = new FormData()
  form.append("name", "")
  form.append("photo", new File([png], "a.png"))
  form.append("empty", new File([], ""))
  const { issues } = await read(form, { name: filled })
  assert.equal({ ...issues }, { name: "required", photo: "Choose the file again." })
})

for (const field of ["ok", "data", "values", "lists", "issues"] as const) {
  forms(`reading ${field} of a form that was not awaited is an error that asks for the await`, async () => {
    const bugs: unknown[] = []
    const app = new App({ logger: false })
    const file = {
      "~standard": { version: 1, vendor: "t", validate: (value: unknown) => ({ value }) },
    } as const
    app.post("/", async (c) => {
      const form = c.readForm(file)
      try {
        return c.json(200, (form as unknown as Record<typeof field, string>)[field])
      } catch (error) {
        bugs.push((error as Error).message)
        return c.json(201, (await form).ok)
      }
    })
    const answer = await app.request("/", { method: "POST", body: new URLSearchParams("a=1") })
    assert.is(answer.status, 201)
    assert.match(String(bugs[0]), new RegExp(`^${field} was read from a promise.*Is an await missing\\?`))
  })
}

const claims: ReadonlyArray<readonly [name: string, given: File, type: string]> = [
  ["a picture that claims to be a page", new File([png], "a.png", { type: "image/html" }), "image/png"],
  ["a picture that claims to be text", new File([png], "a.txt", { type: "text/plain" }), "image/png"],
  ["a script in SVG that claims to be a picture", new File(["<svg>"], "a.png", { type: "image/png" }), "image/svg+xml"],
  ["content without a known type", new File(["a,b"], "a.csv", { type: "text/csv" }), "text/csv"],
]
for (const [name, given, type] of claims) {
  forms(`the type of ${name} is ${type}, and the file is the same otherwise`, async () => {
    const file = {
      "~standard": { version: 1, vendor: "t", validate: (value: unknown) => ({ value }) },
    } as const
    const app = new App({ logger: false })
    const show = async ({ f }: { f: File }) => [f.name, f.type, f.lastModified > 0, await f.text()]
    app.post("/bind", async (c) => c.json(200, await show((await c.bindForm(file)) as { f: File })))
    app.post("/read", async (c) => c.json(200, await show((await c.readForm(file)).data as { f: File })))
    for (const path of ["/bind", "/read"]) {
      const body = new FormData()
      body.append("f", given)
      const answer = await app.request(path, { method: "POST", body })
      assert.equal(await answer.json(), [given.name, type, true, await given.text()])
    }
  })
}

for (const [options, message] of [
  [{ maxFile: 0 }, /maxFile must be a positive integer, not 0/],
  [{ maxFiles: 1.5 }, /maxFiles must be a positive integer, not 1\.5/],
  [
    { types: ["text/csv"] },
    /files of the type "text\/csv" cannot be recognised by their content\. Recognised types: image\/png/,
  ],
  [{ types: ["image"] }, /"image" cannot be recognised/],
  [{ types: "image/png" }, /types must be a list of texts, not a string$/],
  [{ fileMessage: "No." }, /fileMessage must be a function, not a string$/],
  [{ secret: "pin" }, /secret must be a list of texts, not a string$/],
  [{ maxParts: 1 }, /takes as its options an object of maxFile, maxFiles, types, secret, fileMessage, not "maxParts"$/],
] as const) {
  forms(`the option ${JSON.stringify(options)} is a bug whose message lists what is allowed`, async () => {
    const app = new App({ logger: false })
    const seen = collectBugs(app)
    app.post("/", async (c) => c.json(200, await c.bindForm(schema({}), options as FormOptions)))
    assert.is((await app.request("/", { method: "POST", body: new URLSearchParams("a=1") })).status, 500)
    assert.match(String(seen[0]), message)
  })
}

forms("newForm() takes only texts", () => {
  assert.throws(() => newForm({ age: 7 } as never), /^newForm\(\) takes a text for the field "age", not a number$/)
})

forms("newForm() shows its first values, and has no issues", () => {
  assert.equal(structuredClone(newForm({ country: "NL" })), {
    ok: false,
    values: { country: "NL" },
    lists: { country: ["NL"] },
    issues: {},
  })
})

for (const name of ["constructor", "toString", "__proto__"]) {
  forms(`a field named ${name} has no value and no message until it gets one`, async () => {
    const app = new App({ logger: false })
    const sent: Form<unknown>[] = []
    app.post("/", async (c) => {
      sent.push(await c.readForm(schema({})))
      return c.noContent()
    })
    for (const body of [new URLSearchParams(), new URLSearchParams([[name, "x"]])])
      await app.request("/", { method: "POST", body })
    const of = (form: Pick<Form<unknown>, "values" | "lists" | "issues">) => [
      form.values[name],
      form.lists[name],
      form.issues[name],
    ]
    const nothing = [undefined, undefined, undefined]
    assert.equal([newForm(), ...sent].map(of), [nothing, nothing, ["x", ["x"], undefined]])
  })
}

forms.run()

/**
 * Contract cases: all methods that read multipart forms accept the same forms, of every client and in every
 * spelling, and refuse the same ones.
 */
import type { Context, StandardSchema } from "../../../lib/index.ts"
import { clientForms, type Entry, latin1, utf8 } from "../clients.ts"
import { app, type Case, type Expected, error } from "./case.ts"

/** A schema that accepts everything. */
const anything: StandardSchema<object> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as object }) },
}

/** Returns a file as the cases show it. Bun adds a charset to the type of every text. */
async function shown(name: string, value: string | File): Promise<Entry> {
  if (typeof value === "string") return [name, value]
  return [name, value.name, value.type.replace(";charset=utf-8", ""), await value.text()]
}

/** Returns what the methods that keep a whole form in memory read. */
async function kept(c: Context): Promise<unknown> {
  const form: Entry[] = []
  const single: unknown[] = []
  for (const [name, value] of await c.form()) {
    form.push(await shown(name, value))
    single.push([name, await c.formValue(name), (await c.formFile(name))?.name ?? null])
  }
  const platform: Entry[] = []
  for (const [name, value] of await c.request.formData()) platform.push(await shown(name, value))
  const { data } = await c.readForm(anything)
  return {
    form,
    single,
    platform,
    bound: Object.keys(await c.bindForm(anything)),
    read: Object.keys(data ?? {}),
  }
}

async function parts(c: Context): Promise<unknown> {
  const found: Entry[] = []
  for await (const part of c.parts()) {
    if (part.filename === undefined) found.push([part.name, await part.text()])
    else found.push([part.name, part.filename, part.type, await part.text()])
  }
  return found
}

/** Returns the entries as `c.parts()` gives them: an unknown type is `""`, and a name has no directories. */
function asParts(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.length === 2
      ? entry
      : [entry[0], entry[1].replace(/^.*[/\\](?=.)/s, "").replace(/[/\\]$/, ""), entry[2], entry[3]],
  )
}

function asKept(entries: readonly Entry[]): unknown {
  const form = entries.map((entry) =>
    entry.length === 2 ? entry : [entry[0], entry[1], entry[2] || "text/plain", entry[3]],
  )
  const first = (name: string) => entries.find((entry) => entry[0] === name) as Entry
  const single = entries.map(([name]) => {
    const entry = first(name)
    return entry.length === 2 ? [name, entry[1], null] : [name, "", entry[1]]
  })
  const isSent = (entry: Entry) =>
    entry.slice(1, entry.length === 2 ? 2 : 4).some((text, at) => at !== 1 && text !== "")
  const names = [...new Set(entries.map(([name]) => name))].filter((name) => {
    const all = entries.filter((entry) => entry[0] === name)
    return all.length > 1 || all.some(isSent)
  })
  return { form, single, platform: form, bound: names, read: names }
}

const readers = (limit?: number) =>
  app(
    (a) => {
      a.post("/kept", async (c) => c.json(200, await kept(c)))
      a.post("/parts", async (c) => c.json(200, await parts(c)))
      a.post("/large", async (c) => {
        const { ok, lists } = await c.readForm(anything)
        return c.json(200, { ok, lists })
      })
    },
    limit === undefined ? {} : { bodyLimit: limit },
  )

/** Returns the texts by name, as a form that is too large is shown again. */
function asLarge(entries: readonly Entry[]): unknown {
  const lists = new Map<string, string[]>()
  for (const [name, text, ...rest] of entries)
    if (rest.length === 0) lists.set(name, [...(lists.get(name) ?? []), text])
  return { ok: false, lists: Object.fromEntries(lists) }
}

const ways: Readonly<Record<string, string>> = {
  "/kept": "by the methods for whole forms",
  "/parts": "by c.parts()",
  "/large": "although it is too large",
}

function createCases(
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer>,
  entries: readonly Entry[] | Expected,
): Case[] {
  const one = (path: string, expect: Expected, more: Partial<Case> = {}): Case => ({
    subject: "multipart",
    name: `${name}: the form is ${"length" in entries ? "read" : "refused"} ${ways[path]}`,
    app: readers(),
    request: { method: "POST", path, body, chunked: path === "/parts", headers: { "content-type": type } },
    expect,
    ...more,
  })
  if (!("length" in entries)) return [one("/kept", entries), one("/parts", entries)]
  // A form that is only slightly too large is read completely. `app.fetch` does not know the size of a body.
  const large = { app: readers(Math.max(1, body.length - 1)), via: "socket" } as const
  return [
    one("/kept", { json: asKept(entries) }),
    one("/parts", { json: asParts(entries) }),
    one("/large", { json: asLarge(entries) }, large),
  ]
}

const standard = 'form-data; name="f"; filename="x.txt"'
const plain: Entry = ["f", "x.txt", "", "abc"]
/** Returns a form with one part, whose lines end with CRLF. */
const part = (disposition: string, value = "abc", headers = "") =>
  `--b1\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n${value}\r\n--b1--\r\n`
const named = (filename: string): Entry => ["f", filename, "", "abc"]
const field = (value: string): Entry => ["f", value]

/** Title, body in UTF-8, what is read, and the Content-Type if the boundary is not `b1`. */
const accepted: ReadonlyArray<readonly [title: string, body: string, entries: readonly Entry[], type?: string]> = [
  // Parameters: RFC 2183 §2, RFC 7578 §4.2.
  ...(
    [
      ["tokens", "form-data; name=f; filename=x.txt"],
      ["a token with blanks", "form-data; name=f ; filename= x.txt "],
      ["the file's name first", 'form-data; filename="x.txt"; name="f"'],
      ["no blank after a semicolon", 'form-data;name="f";filename="x.txt"'],
      ["blanks around everything", 'form-data ;  name = "f" ;\tfilename\t=\t"x.txt" ; '],
      [
        "other parameters",
        'form-data; size=3; a="b;c=\\"d\\""; name="f"; filename="x.txt"; creation-date="Wed, 1 Jan"',
      ],
      ["upper case", 'FORM-DATA; NAME="f"; FileName="x.txt"'],
      ["empty parameters", 'form-data;; name="f";;filename="x.txt";'],
      ["a parameter without a value", 'form-data; x; name="f"; filename="x.txt"'],
      ["a repeated parameter", 'form-data; name="f"; filename="x.txt"; name="g"; filename="y"'],
      ["only filename*", "form-data; name=\"f\"; filename*=utf-8''x.txt"],
      ["a language in filename*", "form-data; name=\"f\"; filename*=UTF-8'en'x%2Etxt"],
      ["quotes around filename*", 'form-data; name="f"; filename*="utf-8\'\'x.txt"'],
      ["filename* before filename", "form-data; name=f; filename*=utf-8''x.txt; filename=y"],
      ["filename* after filename", "form-data; name=f; filename=y; filename*=utf-8''x.txt"],
      ["filename* in upper case", "form-data; name=f; FILENAME*=utf-8''x.txt"],
      ["a malformed percent sign in filename*", "form-data; name=f; filename=x.txt; filename*=utf-8''%zz"],
      ["a cut percent sign in filename*", "form-data; name=f; filename=x.txt; filename*=utf-8''a%2"],
      ["bytes in filename* that are not UTF-8", "form-data; name=f; filename=x.txt; filename*=utf-8''%ff"],
      ["an unknown charset in filename*", "form-data; name=f; filename=x.txt; filename*=koi8-r''%d0"],
      ["no charset in filename*", "form-data; name=f; filename=x.txt; filename*=a.txt"],
      ["an empty filename*", "form-data; name=f; filename=x.txt; filename*=utf-8''"],
      ["a name in pieces", 'form-data; name="f"; filename*0="x."; filename*1=txt'],
      ["name*", "form-data; name*=utf-8''f; filename=x.txt"],
    ] as const
  ).map(([title, disposition]) => [title, part(disposition), [plain]] as const),
  ...(
    [
      ["a malformed filename* alone", "filename*=utf-8''%zz.txt", "utf-8''%zz.txt"],
      ["filename* in Latin-1", "filename*=ISO-8859-1''na%EFve.txt", "naïve.txt"],
      ["filename* in UTF-8", "filename*=utf-8''%e2%82%ac%20%2525", "€ %25"],
      ["filename* in UTF8", "filename*=UTF8''%e2%82%ac", "€"],
      ["pieces with a charset", "filename*0*=utf-8''%e2%82%ac; filename*1=\" 100%\"; filename*2*=%21", "€ 100%!"],
      ["an escaped quote", 'filename="a\\"b.txt"', 'a"b.txt'],
      ["an escaped quote before a semicolon", 'filename="a\\"; b.txt"', 'a"; b.txt'],
      ["an escaped backslash", 'filename="a\\\\b.txt"', "a\\b.txt"],
      ["a backslash that escapes nothing", 'filename="C:\\photos\\a.txt"', "C:\\photos\\a.txt"],
      ["a backslash at the end", 'filename="a\\"', "a\\"],
      ["a backslash at the end and a parameter", 'filename="a\\"; x=1', "a\\"],
      ["a semicolon", 'filename="a;b=c.txt"', "a;b=c.txt"],
      ["the escapes of browsers", 'filename="a%22b%0d%0Ac%2f"', 'a"b\r\nc%2f'],
      ["directories", 'filename="photos/2024/a.txt"', "photos/2024/a.txt"],
      ["UTF-8", 'filename="日本.txt"', "日本.txt"],
      ["UTF-8 without quotes", "filename=日本.txt", "日本.txt"],
      ["a token with a quote in it", 'filename=a"b', 'a"b'],
    ] as const
  ).flatMap(([title, filename, name]) =>
    // c.parts() removes the control characters of a name, which other tests check.
    name.includes("\n")
      ? []
      : [[`a file's name: ${title}`, part(`form-data; name="f"; ${filename}`), [named(name)]] as const],
  ),
  ["a field's name with escapes", part('form-data; name="a%22\\"b\\\\"'), [['a""b\\', "abc"]]],
  ["a field's name that is empty", part('form-data; name=""'), [["", "abc"]]],
  ["a field's name of a prototype", part('form-data; name="__proto__"'), [["__proto__", "abc"]]],
  [
    "a field's name several times",
    part("form-data; name=f").replace("--b1--\r\n", part("form-data; name=f", "2")),
    [field("abc"), field("2")],
  ],
  // Text around the parts and on the lines of boundaries: RFC 2046 §5.1.1.
  ["a preamble", `preamble\r\n${part(standard)}`, [plain]],
  ["a preamble with a line that begins like a boundary", `--b1x\r\n--b\r\n${part(standard)}`, [plain]],
  ["an empty line before the first boundary", `\r\n${part(standard)}`, [plain]],
  ["a long preamble", `${"preamble\r\n".repeat(300)}${part(standard)}`, [plain]],
  ["an epilogue", `${part(standard)}epilogue`, [plain]],
  ["an epilogue with a part", `${part(standard)}${part(standard)}`, [plain]],
  ["no line break at the end", part(standard).slice(0, -2), [plain]],
  ["blanks after the boundaries", part(standard).replaceAll(/(--b1(?:--)?)\r/g, "$1 \t\r"), [plain]],
  ["many blanks after a boundary", part(standard).replace("--b1\r", `--b1${" ".repeat(5000)}\r`), [plain]],
  ["blanks at the end", `${part(standard).slice(0, -2)}  `, [plain]],
  ["text right after the last boundary", `${part(standard).slice(0, -2)}text`, [plain]],
  ["a form without parts", "--b1--\r\n", []],
  ["a form without parts or a line break", "--b1--", []],
  // Values.
  ...(
    [
      ["an empty value", ""],
      ["the boundary inside a line", "see --b1 here, or b1, or --b1--"],
      ["a line that goes on after the boundary", "a\r\n--b1x\r\n--b1 x\r\n--b1-\r\n--b1-x\r\n--b1\t\rx"],
      ["a line that ends the boundary early", "a\r\n--b\r\n--\r\n-\r\n\r\n"],
      ["the boundary after a single line feed", "a\n--b1\r\n\n--b1--\r"],
      ["carriage returns before the boundary", "a\r\r\r"],
      ["line breaks at both ends", "\r\n\r\na\r\n\r\n"],
    ] as const
  ).flatMap(([title, value]) => [
    [`${title} in a field`, part("form-data; name=f", value), [field(value)]] as const,
    [`${title} in a file`, part(standard, value), [["f", "x.txt", "", value]]] as const,
  ]),
  [
    "parts without a value, ended by the line break of their headers",
    '--b1\r\nContent-Disposition: form-data; name="f"\r\n\r\n--b1\r\nContent-Disposition: form-data; name="g"\r\n\r\n--b1--',
    [field(""), ["g", ""]],
  ],
  // Headers.
  ["an empty header", part(standard, "abc", "Content-Type:\r\nX-A:   \r\n"), [plain]],
  ["other headers", part(standard, "abc", "X-A: 1\r\nMIME-Version: 1.0\r\nContent-Length: 99\r\n"), [plain]],
  [
    "a type with parameters",
    part(standard, "abc", 'Content-Type: text/csv; header="a;b"\r\n'),
    [["f", "x.txt", 'text/csv; header="a;b"', "abc"]],
  ],
  ["a repeated header", part(standard, "abc", "Content-Disposition: form-data; name=g\r\n"), [plain]],
  ["folded headers", part('form-data;\r\n name="f";\r\n\tfilename="x.txt"', "abc", "X-A: 1\r\n 2\r\n"), [plain]],
  ["headers in lower case", part(standard).replace("Content-Disposition", "content-disposition"), [plain]],
  ["no blank after a colon", part(standard).replace(": ", ":"), [plain]],
  ["16 kB of headers", part(standard, "abc", `X-A: ${"a".repeat(16_000)}\r\n`), [plain]],
  ...["7bit", "8bit", "binary", "BINARY"].map(
    (encoding) =>
      [
        `the encoding ${encoding}`,
        part(standard, "abc", `Content-Transfer-Encoding: ${encoding}\r\n`),
        [plain],
      ] as const,
  ),
  [
    "_charset_, which is a field",
    part("form-data; name=_charset_", "iso-8859-1").replace("--b1--\r\n", part("form-data; name=f", "é")),
    [["_charset_", "iso-8859-1"], field("é")],
  ],
  // Boundaries: RFC 2046 §5.1.1.
  ["a boundary in quotes", part(standard), [plain], 'multipart/form-data; boundary="b1"'],
  ["a boundary of an upper case parameter", part(standard), [plain], "Multipart/Form-Data; charset=utf-8; BOUNDARY=b1"],
  [
    "two boundaries, of which the first counts",
    part(standard),
    [plain],
    "multipart/form-data; boundary=b1; boundary=b2",
  ],
  ...(
    [
      ["70 characters", "x".repeat(70)],
      ["blanks inside", "a b  c"],
      ["a blank at the end", "ab "],
      ["other characters", "'()+_,-./:=?*"],
      ["a quote", 'a\\"b', 'a"b'],
    ] as const
  ).map(
    ([title, written, boundary = written]) =>
      [
        `a boundary with ${title}`,
        part(standard).replaceAll("b1", () => boundary),
        [plain],
        `multipart/form-data; boundary="${written}"`,
      ] as const,
  ),
]

/** Title, body in Latin-1, and what is read. */
const encoded: ReadonlyArray<readonly [title: string, body: string, entries: readonly Entry[]]> = [
  [
    "a name in Latin-1",
    part('form-data; name="gr\xf6\xdfe"; filename="na\xefve.txt"'),
    [["größe", "naïve.txt", "", "abc"]],
  ],
  [
    "a text with the charset Latin-1",
    part("form-data; name=f", "h\xe4llo", "Content-Type: text/plain; charset=iso-8859-1\r\n"),
    [field("hällo")],
  ],
  [
    "a text with the charset UTF-8 in quotes",
    part("form-data; name=f", "h\xc3\xa4llo", 'Content-Type: text/plain; charset="UTF-8"\r\n'),
    [field("hällo")],
  ],
  [
    "a text with the charset UTF-16",
    part("form-data; name=f", "h\0\xe4\0", "Content-Type: text/plain; charset=utf-16le\r\n"),
    [field("hä")],
  ],
]

const bad = (why: string): Expected => ({ status: 400, ...error("bad_request", why) })
const broken = (why: string) => bad(`the body is not valid multipart/form-data: ${why}`)
const second = (text: string) => part("form-data; name=a").replace("--b1--\r\n", text)
const noBoundary = 'it ends too early, because no line is "--b1". Lines end with a carriage return and a line feed'

/** Title, body in Latin-1, and the answer. */
const refused: ReadonlyArray<readonly [title: string, body: string, answer: Expected, type?: string]> = [
  ["no boundary in the body", "hello", broken(noBoundary)],
  ["another boundary", part(standard).replaceAll("b1", "b2"), broken(noBoundary)],
  ["lines that end with a line feed", part(standard).replaceAll("\r", ""), broken(noBoundary)],
  ["no last boundary", part(standard).replace("--b1--\r\n", ""), broken('it ends too early, in part 1 ("f")')],
  ["half of the last boundary", part(standard).slice(0, -4), broken('it ends too early, in part 1 ("f")')],
  ["a boundary without a line break at the end", second("--b1"), broken('it ends too early, in part 1 ("a")')],
  ["the end in a header", second("--b1\r\nContent-Disp"), broken("it ends too early, in the headers of part 2")],
  ["the end after a boundary", second("--b1\r\n"), broken("it ends too early, in the headers of part 2")],
  [
    "no Content-Disposition",
    second("--b1\r\nX: y\r\n\r\nv\r\n--b1--"),
    broken("part 2 has no Content-Disposition: form-data"),
  ],
  ["no headers", second("--b1\r\n\r\nv\r\n--b1--"), broken("part 2 has no Content-Disposition: form-data")],
  [
    "another disposition",
    second(part('attachment; name="f"; filename="x"')),
    broken("part 2 has no Content-Disposition: form-data"),
  ],
  [
    "a disposition that only begins so",
    second(part('form-data-x; name="f"')),
    broken("part 2 has no Content-Disposition: form-data"),
  ],
  ["no name", second(part('form-data; filename="x"')), broken("the Content-Disposition of part 2 has no name")],
  ["no parameters", second(part("form-data")), broken("the Content-Disposition of part 2 has no name")],
  [
    "a quote without an end",
    second(part('form-data; name="f')),
    broken("the Content-Disposition of part 2 has a malformed quoted string"),
  ],
  [
    "text after a quote",
    second(part('form-data; name="f"g"')),
    broken("the Content-Disposition of part 2 has a malformed quoted string"),
  ],
  ["a header without a colon", second(part(standard, "abc", "nothing\r\n")), broken("a header of part 2 has no colon")],
  [
    "a header without a name",
    second(part(standard, "abc", ": x\r\n")),
    broken("a header of part 2 has a name that is not valid"),
  ],
  [
    "a blank before a colon",
    second(part(standard, "abc", "X : x\r\n")),
    broken("a header of part 2 has a name that is not valid"),
  ],
  [
    "a blank before the first header",
    second(`--b1\r\n X: y\r\n\r\n\r\n--b1--`),
    broken("the first header of part 2 begins with a blank"),
  ],
  [
    "a single carriage return in a header",
    second(part(standard, "abc", "X: a\rb\r\n")),
    broken("a line of the headers of part 2 does not end with a carriage return and a line feed"),
  ],
  [
    "a single line feed in a header",
    second(part(standard, "abc", "X: a\nContent-Type: text/html\r\n")),
    broken("a line of the headers of part 2 does not end with a carriage return and a line feed"),
  ],
  [
    "a large header",
    second(part(standard, "abc", `X: ${"a".repeat(17_000)}\r\n`)),
    broken("part 2 has headers of more than 16384 bytes"),
  ],
  [
    "a header without an end",
    second(`--b1\r\n${"a".repeat(50_000)}`),
    broken("part 2 has headers of more than 16384 bytes"),
  ],
  [
    "large headers",
    second(part(standard, "abc", `X: ${"a".repeat(1000)}\r\n`.repeat(17))),
    broken("part 2 has headers of more than 16384 bytes"),
  ],
  [
    "a header of many lines",
    second(part(standard, "abc", `X: a\r\n${" a\r\n".repeat(5000)}`)),
    broken("part 2 has headers of more than 16384 bytes"),
  ],
  ["many headers", second(part(standard, "abc", "X: a\r\n".repeat(100))), broken("part 2 has more than 100 headers")],
  [
    "a long name of a file",
    second(part(`form-data; name="f"; filename="${"%22".repeat(6000)}"`)),
    broken("part 2 has headers of more than 16384 bytes"),
  ],
  [
    "too many blanks after a boundary",
    `--b1${" ".repeat(20_000)}\r\n`,
    broken("more than 16384 bytes follow a boundary on its line"),
  ],
  [
    "bytes in a text that are not UTF-8",
    second(part('form-data; name="f"', "\xff")),
    bad('part 2 ("f") is not valid UTF-8: send bytes as a file, with a file name'),
  ],
  [
    "bytes that are not valid in their charset",
    second(part('form-data; name="f"', "abc", "Content-Type: text/plain; charset=utf-16\r\n")),
    bad('part 2 ("f") is not valid UTF-16LE: send bytes as a file, with a file name'),
  ],
  [
    "an unknown charset",
    second(part('form-data; name="f"', "abc", "Content-Type: text/plain; charset=utf-7\r\n")),
    bad('part 2 ("f") has the charset "utf-7", which is not known: send it in UTF-8'),
  ],
  [
    "no boundary",
    part(standard),
    bad(
      "the Content-Type multipart/form-data has no valid boundary: it needs a parameter boundary of 1 to 70 ASCII characters",
    ),
    "multipart/form-data",
  ],
  [
    "an empty boundary",
    part(standard),
    bad(
      "the Content-Type multipart/form-data has no valid boundary: it needs a parameter boundary of 1 to 70 ASCII characters",
    ),
    'multipart/form-data; boundary=""',
  ],
  [
    "a boundary of 71 characters",
    part(standard),
    bad(
      "the Content-Type multipart/form-data has no valid boundary: it needs a parameter boundary of 1 to 70 ASCII characters",
    ),
    `multipart/form-data; boundary=${"x".repeat(71)}`,
  ],
  ...["base64", "quoted-printable", "x-own"].map(
    (encoding) =>
      [
        `the encoding ${encoding}`,
        second(part(standard, "YWJj", `Content-Transfer-Encoding: ${encoding}\r\n`)),
        {
          status: 415,
          ...error(
            "unsupported_media_type",
            `part 2 ("f") has the Content-Transfer-Encoding ${encoding}, which is not decoded: send it without one`,
          ),
        },
      ] as const,
  ),
  [
    "a name that is long in the message",
    second(part(`form-data; name="${"n".repeat(500)}"`, "\xff")),
    bad(`part 2 ("${"n".repeat(200)}…") is not valid UTF-8: send bytes as a file, with a file name`),
  ],
]

const byDefault = "multipart/form-data; boundary=b1"

export const multipartCases: readonly Case[] = [
  ...clientForms.flatMap(({ client, type, body, entries }) => createCases(client, type, body, entries)),
  ...accepted.flatMap(([title, body, entries, type = byDefault]) => createCases(title, type, utf8(body), entries)),
  ...encoded.flatMap(([title, body, entries]) => createCases(title, byDefault, latin1(body), entries)),
  ...refused.flatMap(([title, body, answer, type = byDefault]) => createCases(title, type, latin1(body), answer)),
]

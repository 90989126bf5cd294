/** Tests of each function that parses headers, and that no other module of the sources parses them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  addToVary,
  findExtendedParameter,
  hasElement,
  isJSONType,
  listElements,
  parseCacheDirectives,
  parseCookiePairs,
  parseEntityTags,
  parseMediaType,
  quoteText,
  readCookieDate,
  readDate,
  readDisposition,
  readParameterized,
  readParameters,
  readWeights,
  trimBlanks,
  unquoteText,
} from "../../../lib/request/header-grammar.ts"
import { listFiles } from "../../support/structure.ts"
import { root } from "../../support/tsc.ts"

function table<Given, Expected>(what: string, run: (given: Given) => Expected, rows: [Given, Expected][]): void {
  for (const [given, expected] of rows)
    test(`${what}: ${JSON.stringify(given)}`, () => assert.equal(run(given), expected))
}

/** Tests the type, the name and the file name of a part; null if the header is malformed. */
table(
  "the Content-Disposition of a part",
  (text) => {
    const disposition = readDisposition(text)
    if (!disposition) return null
    const { value, parameters } = disposition
    return [value, findExtendedParameter(parameters, "name"), findExtendedParameter(parameters, "filename")]
  },
  [
    ["", ["", undefined, undefined]],
    ["Form-Data", ["form-data", undefined, undefined]],
    ["form-data;name=a;FileName=b", ["form-data", "a", "b"]],
    ['form-data; filename = "b" ; name = "a" ;', ["form-data", "a", "b"]],
    ['form-data; name="a;b"; filename="c=\\"d\\""', ["form-data", "a;b", 'c="d"']],
    ['form-data; name="\\a\\\\"; filename="C:\\x\\"', ["form-data", "\\a\\", "C:\\x\\"]],
    ['form-data; name="a\\"; filename="b"', ["form-data", "a\\", "b"]],
    ['form-data; name="a', null],
    ['form-data; name="a"b"', null],
    ['form-data; name="a" b', null],
    ["form-data; name=a; name=b; name*", ["form-data", "a", undefined]],
    ["form-data; name*=utf-8'en'%C3%A4; name=b", ["form-data", "ä", undefined]],
    ["form-data; name*=latin1''%E4; name=b", ["form-data", "b", undefined]],
    ["form-data; name*=iso-8859-1''%E4; filename*=utf-8''%E4", ["form-data", "ä", "utf-8''%E4"]],
    [
      "form-data; name=a; filename*0*=utf-8''%C3; filename*1*=%A4; filename*2=%A4; filename*4=x",
      ["form-data", "a", "ä%A4"],
    ],
    ["form-data; name=%22%0d%0A%41", ["form-data", '"\r\n%41', undefined]],
  ],
)

table("blanks are SP and HTAB only", trimBlanks, [
  ["", ""],
  [" \t ", ""],
  [" \ta b\t ", "a b"],
  ["\u00a0a\u2000", "\u00a0a\u2000"],
  ["\va\f", "\va\f"],
  ["\na\r", "\na\r"],
])

table("a list has elements", listElements, [
  ["", []],
  [" \t ", []],
  [",", []],
  ["a", ["a"]],
  [" a\t,\tb ", ["a", "b"]],
  [", a,, b,", ["a", "b"]],
  ["\u00a0a, b\u00a0", ["\u00a0a", "b\u00a0"]],
  ['a="x,y", b', ['a="x,y"', "b"]],
  ['a="x\\",y", b', ['a="x\\",y"', "b"]],
  ['a="x\\\\", b', ['a="x\\\\"', "b"]],
  ['a="\\\\\\",", b', ['a="\\\\\\","', "b"]],
  // A quoted string without an end must not swallow the address that a proxy appends.
  ['for="x, for=192.0.2.1', ['for="x', "for=192.0.2.1"]],
  ['for="x, for=192.0.2.1;host="a,b"', ['for="x', 'for=192.0.2.1;host="a,b"']],
])

table("Vary is a set", ([vary, names]: [string, string]) => addToVary(vary, names), [
  [["", "Accept"], "Accept"],
  [["Accept", "accept, Origin"], "Accept, Origin"],
  [["A,,a", ""], "A"],
  [["A", "*"], "*"],
  [["*", "A"], "*"],
])

table(
  "directives of Cache-Control",
  (value: string) => parseCacheDirectives(value).map(({ name, argument }) => [name, argument]),
  [
    ["", []],
    [
      "Public, Max-Age=60",
      [
        ["public", undefined],
        ["max-age", "60"],
      ],
    ],
    [
      'max-age="60",, private="set-cookie, x-a"',
      [
        ["max-age", "60"],
        ["private", "set-cookie, x-a"],
      ],
    ],
    ["max-age = 60", [["max-age", "60"]]],
  ],
)

table("finding an element of a list in any case", ([list, element]: [string, string]) => hasElement(list, element), [
  [["", "close"], false],
  [["close", "close"], true],
  [["Keep-Alive, CLOSE", "close"], true],
  [["x-close", "close"], false],
  [["close-x", "close"], false],
  [["close;q=1", "close"], false],
  [['private="no-store"', "no-store"], false],
  [["\u00a0close", "close"], false],
])

table(
  "reading the parameters of an element",
  (text: string) => {
    const { value, parameters } = readParameterized(text)
    return [value, Object.fromEntries(parameters)]
  },
  [
    ["text/html", ["text/html", {}]],
    ["text/html;", ["text/html", {}]],
    ["a;;b=c;", ["a", { b: "c" }]],
    ["text/html ;\tCharset=UTF-8", ["text/html", { charset: "UTF-8" }]],
    ["a;b=c;b=d", ["a", { b: "c" }]],
    ["a; b = c", ["a", { b: "c" }]],
    ["a;b", ["a", {}]],
    ["a;=c", ["a", {}]],
    ["a; b c=d", ["a", {}]],
    ['a;b=""', ["a", { b: "" }]],
    ['a;b="c;d=e";f=g', ["a", { b: "c;d=e", f: "g" }]],
    ['a;b="c\\"d\\\\e\\f"', ["a", { b: 'c"d\\ef' }]],
    ['a;b="c', ['a;b="c', {}]],
    ["a;\u00a0b=c", ["a", {}]],
    ["a;b=c\u00a0", ["a", { b: "c\u00a0" }]],
    ["a;__proto__=c", ["a", { ["__proto__"]: "c" }]],
  ],
)

table("reading parameters without a value", (text: string) => Object.fromEntries(readParameters(text)), [
  ["for=192.0.2.1;proto=https", { for: "192.0.2.1", proto: "https" }],
  ['host="a;for=6.6.6.6";FOR="[2001:db8::1]:80"', { host: "a;for=6.6.6.6", for: "[2001:db8::1]:80" }],
  ["", {}],
])

table("cookie pairs", parseCookiePairs, [
  ["a=b", [["a", "b"]]],
  [
    "a=b;c = d=e ; f",
    [
      ["a", "b"],
      ["c", "d=e"],
      ["f", undefined],
    ],
  ],
  ["\u00a0a=b", [["\u00a0a", "b"]]],
  [
    'a="b; c=d"',
    [
      ["a", '"b'],
      ["c", 'd"'],
    ],
  ],
])

table("a quoted string is read", unquoteText, [
  ['"a"', "a"],
  ['"a\\"b"', 'a"b'],
  ['"\\\\"', "\\"],
  ["a", "a"],
  ['"', '"'],
  ['"a', '"a'],
])
table("a quoted string can be written and read again", (text: string) => unquoteText(quoteText(text)), [
  ['a"b\\c', 'a"b\\c'],
  ["\\", "\\"],
])

table("a media type", parseMediaType, [
  ["Text/HTML ; charset=x", "text/html"],
  ["", ""],
  [";", ""],
  ["text/html\u00a0", "text/html\u00a0"],
])
table("a type of JSON", isJSONType, [
  ["application/json", true],
  [" Application/JSON\t;charset=utf-8", true],
  ["application/problem+json", true],
  ["application/jsonp", false],
  ["text/json", false],
  ["application/json\u00a0", false],
  ["text/x; a=application/json", false],
])

table("reading weights", (text: string) => Object.fromEntries(readWeights(text)), [
  ["br, gzip;q=0.5", { br: 1, gzip: 0.5 }],
  ["BR ;\tQ=0.001 ,, *", { br: 0.001, "*": 1 }],
  ["a;q=1.001, b;q=2, c;q=, d;q=.5", { a: 0, b: 0, c: 0, d: 0 }],
  ['text/html;level="1,2";q=0.3', { "text/html": 0.3 }],
])

table("entity tags", parseEntityTags, [
  ['"a", W/"b,c" ,"\\"', ['"a"', 'W/"b,c"', '"\\"']],
  ["a", []],
  ["", []],
  ["*", []],
  ['w/"a"', []],
  ['W/ "a"', []],
  ['x"a", "b" y, "c"', ['"c"']],
  ['"a" "b"', []],
  ['"a",\t,"b"', ['"a"', '"b"']],
  ['"a, "b"', ['"b"']],
  ['""', ['""']],
])

const date = Date.UTC(1994, 10, 6, 8, 49, 37)
table("reading a date", (text: string) => readDate(text, Date.UTC(2026, 0, 1)), [
  ["Sun, 06 Nov 1994 08:49:37 GMT", date],
  ["Sunday, 06-Nov-94 08:49:37 GMT", date],
  ["Sun Nov  6 08:49:37 1994", date],
  ["Thu, 01-Jan-26 00:00:00 GMT", Number.NaN],
  ["Thursday, 01-Jan-76 00:00:00 GMT", Date.UTC(2076, 0, 1)],
  ["Friday, 01-Jan-77 00:00:00 GMT", Date.UTC(1977, 0, 1)],
  ["Fri, 31 Dec 1999 23:59:60 GMT", Date.UTC(2000, 0, 1)],
  ["Mon, 01 Jan 0024 00:00:00 GMT", new Date("0024-01-01T00:00:00Z").getTime()],
  ["Mon, 30 Feb 2026 00:00:00 GMT", Number.NaN],
  ["Mon, 00 Jan 2026 00:00:00 GMT", Number.NaN],
  ["Mon, 01 Foo 2026 00:00:00 GMT", Number.NaN],
  ["Mon, 01 Jan 2026 24:00:00 GMT", Number.NaN],
  ["Mon, 01 Jan 2026 00:60:00 GMT", Number.NaN],
  ["Mon, 1 Jan 2026 00:00:00 GMT", Number.NaN],
  ["Mon, 01 Jan 2026 00:00:00 UTC", Number.NaN],
  ["2026-01-01T00:00:00Z", Number.NaN],
  ["1", Number.NaN],
  ["", Number.NaN],
])

table("the date of a cookie", readCookieDate, [
  ["Sun, 06 Nov 1994 08:49:37 GMT", date],
  ["Sun, 06-Nov-94 08:49:37 GMT", date],
  ["Sun Nov  6 08:49:37 1994", date],
  ["november 6 1994 8:49:37 PST", date],
  ["1994 08:49:37 6th nov", date],
  ["08:49:37 6 1994 nov", date],
  ["06 Nov 69 00:00:00", Date.UTC(2069, 10, 6)],
  ["06 Nov 70 00:00:00", Date.UTC(1970, 10, 6)],
  ["06 Nov 1600 00:00:00", Number.NaN],
  ["06 Nov 1601 00:00:00", Date.UTC(1601, 10, 6)],
  ["06 Nov 1994 24:00:00", Number.NaN],
  ["06 Nov 1994 00:00:60", Number.NaN],
  ["31 Nov 1994 00:00:00", Number.NaN],
  ["06 Nov 1994", Number.NaN],
  ["1994-11-06T08:49:37Z", Number.NaN],
  ["0", Number.NaN],
  ["", Number.NaN],
])

/** Files that split or trim texts other than headers. */
const otherGrammars: Readonly<Record<string, string>> = {
  "lib/request/header-grammar.ts": "is the reader",
  "lib/request/secrets.ts": "FW_SECRETS",
  "lib/errors.ts": "a table of statuses",
  "lib/html/": "attributes and styles",
  "lib/scan": "source texts",
  "lib/log/": "stacks and settings",
  "lib/mail/": "addresses and texts that a program writes",
  "adapters/db/migration.ts": "a text of SQL",
  "adapters/db/open.ts": "the message of an error",
  "adapters/otel": "variables of the environment",
  "adapters/start/questions.ts": "an answer that a person reads",
  "adapters/start/variable-files.ts": "a file of a secret",
  "lib/static/media-types.ts": "a table of types",
}

const readers: [what: string, expression: RegExp][] = [
  ["trim()", /\.trim(?:Start|End)?\(/],
  ["split() at a comma or semicolon", /\.split\(\s*(?:["'`][,;] ?["'`]|\/[^/\n]*[,;])/],
  ["an expression on a header", /\/[a-z]*\.(?:test|exec)\([^\n]*\b(?:c\.)?headers?(?:\.get)?\(/],
  ["match() on a header", /\bheaders?(?:\.get)?\([^)\n]*\)[^\n]*\.(?:match|matchAll|replace|search)\(/],
]

test("no source reads a header with its own regular expression", () => {
  const found = listFiles(["lib", "adapters"], ".ts").flatMap((file) => {
    if (Object.keys(otherGrammars).some((known) => file.startsWith(known))) return []
    const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    return readers.filter(([, expression]) => expression.test(code)).map(([what]) => `${file}: ${what}`)
  })
  assert.equal(found, [])
})

test.run()

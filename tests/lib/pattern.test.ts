/**
 * Tests of patterns: the three ways to write them, their canonical text, and the messages for patterns that are
 * refused.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FwError } from "../../lib/errors.ts"
import {
  getPatternShape,
  isGroupName,
  joinPatterns,
  type ParamNames,
  parseDirectoryPatterns,
  parsePattern,
} from "../../lib/pattern.ts"

const spellings: ReadonlyArray<[canonical: string, names: string[], ...others: string[]]> = [
  ["/", [], "/"],
  ["/users", [], "/users/", "/%75sers"],
  ["/users/{id}", ["id"], "/users/:id", "/users/[id]", "/users/{id}/"],
  ["/users/{id}/posts/{post-id}", ["id", "post-id"], "/users/:id/posts/:post-id", "/users/[id]/posts/[post-id]"],
  ["/{$a_1}", ["$a_1"], "/:$a_1", "/[$a_1]"],
  ["/*", ["*"], "/*"],
  ["/docs/*", ["*"], "/docs/*/"],
  ["/caf%C3%A9", [], "/café", "/caf%C3%A9"],
  ["/a%20b", [], "/a b"],
  ["/a:b@c", [], "/a%3Ab%40c"],
  ["/(x)", [], "/(x)"],
  ["/a%2Fb", [], "/a%2fb"],
  ["/%2A", [], "/%2a"],
  ["/%3Aid", [], "/%3aid"],
  ["/%7Bid%7D", [], "/%7bid%7d"],
]

for (const [canonical, names, ...others] of spellings) {
  for (const text of [canonical, ...others]) {
    test(`the pattern ${text} is the same as ${canonical}`, () => {
      const pattern = parsePattern(text)
      assert.is(pattern.text, canonical)
      assert.equal(pattern.names, names)
      assert.equal(
        parsePattern(pattern.text).segments,
        pattern.segments,
        "the canonical text is read as other segments",
      )
    })
  }
}

test("[...name] is a * with a name", () => {
  const pattern = parsePattern("/docs/[...slug]")
  assert.is(pattern.text, "/docs/*")
  assert.equal(pattern.names, ["slug"])
})

const refusals: ReadonlyArray<[pattern: string, what: string, fix: string]> = [
  ["users", 'the pattern "users" does not start with a slash', 'Write "/users".'],
  ["", 'the pattern "" does not start with a slash', 'Write "/".'],
  ["/a//b", 'the pattern "/a//b" has an empty segment', "Remove one of the slashes."],
  ["//", 'the pattern "//" has an empty segment', "Remove one of the slashes."],
  ["/*/a", 'the pattern "/*/a" has a catch-all before its end', "A * or [...name] must be the last segment."],
  ["/[...a]/b", 'the pattern "/[...a]/b" has a catch-all before its end', "A * or [...name] must be the last segment."],
  ["/{}", 'the pattern "/{}" has no valid parameter name in "{}"', "Use letters, digits, _ and -, such as {id}."],
  ["/:1a", 'the pattern "/:1a" has no valid parameter name in ":1a"', "Use letters, digits, _ and -, such as {id}."],
  [
    "/:id.json",
    'the pattern "/:id.json" has no valid parameter name in ":id.json"',
    "Use letters, digits, _ and -, such as {id}.",
  ],
  [
    "/{__proto__}",
    'the pattern "/{__proto__}" has no valid parameter name in "{__proto__}"',
    "Use letters, digits, _ and -, such as {id}.",
  ],
  [
    "/a{id}",
    'the pattern "/a{id}" mixes text and a parameter in "a{id}"',
    "A parameter takes a whole segment: /files/{name}.",
  ],
  [
    "/{id}.json",
    'the pattern "/{id}.json" mixes text and a parameter in "{id}.json"',
    "A parameter takes a whole segment: /files/{name}.",
  ],
  ["/a*", 'the pattern "/a*" mixes text and a parameter in "a*"', "A parameter takes a whole segment: /files/{name}."],
  [
    "/a?b=1",
    'the pattern "/a?b=1" contains more than a path in "a?b=1"',
    "Remove the query and the fragment. A handler reads the query with c.query().",
  ],
  [
    "/%zz",
    'the pattern "/%zz" is not valid percent-encoded UTF-8',
    "Write the characters themselves, or encode a % as %25.",
  ],
  [
    "/a/../b",
    'the pattern "/a/../b" has a segment that no request can have, ".."',
    "Write the path without dot segments, backslashes and NUL.",
  ],
  [
    "/%2e",
    'the pattern "/%2e" has a segment that no request can have, "."',
    "Write the path without dot segments, backslashes and NUL.",
  ],
  [
    "/a\\b",
    'the pattern "/a\\\\b" has a segment that no request can have, "a\\\\b"',
    "Write the path without dot segments, backslashes and NUL.",
  ],
  [
    "/%00",
    'the pattern "/%00" has a segment that no request can have, "\\u0000"',
    "Write the path without dot segments, backslashes and NUL.",
  ],
  [
    "/\ud800",
    'the pattern "/\\ud800" has a segment that no request can have, "\\ud800"',
    "Write the path without dot segments, backslashes and NUL.",
  ],
  ["/{a}/{a}", 'the pattern "/{a}/{a}" has the parameter "a" twice', "Give each parameter its own name."],
  ["/{a}/[...a]", 'the pattern "/{a}/[...a]" has the parameter "a" twice', "Give each parameter its own name."],
]

function refusal(run: () => unknown): FwError {
  try {
    run()
  } catch (error) {
    if (error instanceof FwError) return error
    throw error
  }
  throw new Error("nothing was refused")
}

for (const [pattern, what, fix] of refusals) {
  test(`the pattern ${JSON.stringify(pattern)} is refused`, () => {
    const error = refusal(() => parsePattern(pattern))
    const [line, ...marked] = error.message.split("\n")
    assert.equal([error.code, line, error.fix], ["pattern", what, fix])
    if (marked.length > 0) assert.equal([marked.length, marked[0]], [2, `  ${pattern}`])
  })
}

const carets: ReadonlyArray<[pattern: string, mark: string]> = [
  ["/a/{1}/b", "   ^^^"],
  ["/*/a", " ^"],
  ["/a/{b}/c/{b}", "         ^^^"],
  ["/a//b", "   ^"],
  ["//", " ^"],
  ["/a/b{c}.json", "   ^^^^^^^^^"],
  ["/%zz", " ^^^"],
  ["/a/../b", "   ^^"],
]

for (const [pattern, mark] of carets) {
  test(`the error marks the position in ${pattern}`, () => {
    const [, ...marked] = refusal(() => parsePattern(pattern)).message.split("\n")
    assert.equal(marked, [`  ${pattern}`, `  ${mark}`])
  })
}

for (const pattern of ["/\x1b[31m{", "/é{", "/a\n{"]) {
  test(`the error marks no position in ${JSON.stringify(pattern)}, because a mark would be wrong`, () => {
    assert.not.match(refusal(() => parsePattern(pattern)).message, "\n")
  })
}

for (const [given, kind] of [
  [undefined, "undefined"],
  [null, "null"],
  [5, "a number"],
  [["/a"], "an array"],
] as const) {
  test(`${kind} is not a pattern, on its own and after a prefix`, () => {
    for (const run of [() => parsePattern(given as never), () => joinPatterns("/api", given as never)]) {
      const { message, fix } = refusal(run)
      assert.equal([message, fix], [`${kind} is not a pattern`, 'Write a path, such as "/users/{id}".'])
    }
  })
}

const joined: ReadonlyArray<[prefix: string, pattern: string, whole: string]> = [
  ["/api/v1", "/users", "/api/v1/users"],
  ["/api/v1/", "/users", "/api/v1/users"],
  ["/api", "users", "/api/users"],
  ["/api", "/", "/api"],
  ["/api", "", "/api"],
  ["", "/users", "/users"],
  ["/", "/users", "/users"],
  ["", "", "/"],
  ["/", "/", "/"],
]

for (const [prefix, pattern, whole] of joined) {
  test(`the prefix ${prefix} and the pattern ${pattern} are ${whole} together`, () =>
    assert.is(joinPatterns(prefix, pattern), whole))
}

test("a prefix without a slash at its start is refused", () => {
  assert.is(refusal(() => joinPatterns("api", "/users")).fix, 'Write "/api".')
})

const shapes: ReadonlyArray<[one: string, two: string, same: boolean]> = [
  ["/users/{id}", "/users/:name", true],
  ["/docs/[...a]", "/docs/*", true],
  ["/users/{id}", "/users/me", false],
  ["/users/{id}", "/users/*", false],
  ["/users/{id}", "/users/%7B%7D", false],
  ["/docs/*", "/docs/%2A", false],
]

for (const [one, two, same] of shapes) {
  test(`${one} and ${two} claim ${same ? "the same" : "different"} paths`, () => {
    assert.is(getPatternShape(parsePattern(one)) === getPatternShape(parsePattern(two)), same)
  })
}

const directories: ReadonlyArray<[names: string, ...patterns: string[]]> = [
  ["", "/"],
  ["api/users", "/api/users"],
  ["api/users/[id]", "/api/users/{id}"],
  ["api/docs/[...slug]", "/api/docs/*"],
  ["api/shop/[[...cat]]", "/api/shop", "/api/shop/*"],
  ["[[...all]]", "/", "/*"],
  ["api/(admin)/settings", "/api/settings"],
  ["(a)/(b)", "/"],
  ["(a)/[id]/(b)/[[...rest]]", "/{id}", "/{id}/*"],
  ["[[...rest]]/(group)", "/", "/*"],
  [".well-known", "/.well-known"],
  ["%41", "/%2541"],
  ["a?b#c", "/a%3Fb%23c"],
  ["cafe\u0301", "/caf%C3%A9"],
]

for (const [names, ...patterns] of directories) {
  test(`the directory ${names || "."} has the pattern ${patterns.join(" and ")}`, () => {
    assert.equal(
      parseDirectoryPatterns(names === "" ? [] : names.split("/")).map(({ text }) => text),
      patterns,
    )
  })
}

const rest = "Write [...name] for the rest of a path."
const two = "Write two patterns: one without this segment, and one with {id}."
const condition =
  'A pattern has no conditions. Write {id}, and check the value in the handler, such as by c.paramInt("id").'
const ofOthers: ReadonlyArray<readonly [fix: string, segments: readonly string[]]> = [
  [rest, ["{name...}", "{...name}", "{name*}", "{name+}", "{*name}", "{**name}", "*name", ":name*", ":name+"]],
  [rest, [":name(.*)", ":name{.+}", "{name:.*}", "{name:path}", "[name...]"]],
  [rest.replace("name", "path"), ["**", "(.*)"]],
  [two, [":id?", "{id?}"]],
  [two.replace("{id}", "[id]"), ["[[id]]"]],
  [two.replace("{id}", "[...id]"), ["[[...id]]"]],
  [condition, [":id{[0-9]+}", ":id(\\d+)", "{id:[0-9]+}", "{id:int}"]],
]
for (const [fix, segments] of ofOthers) {
  for (const segment of segments) {
    test(`/${segment} of other frameworks is refused with a fix that means the same`, () =>
      assert.throws(
        () => parsePattern(`/files/${segment}`),
        (error: FwError) => error.code === "pattern" && error.fix === fix,
      ))
  }
}

const badDirectories: ReadonlyArray<[names: string, what: string, fix: string]> = [
  ["[...a]/b", "has a catch-all before its end", "A * or [...name] must be the last segment."],
  ["[[...a]]/b", "has an optional catch-all before its end", "[[...name]] must be the last directory."],
  ["[[lang]]", "has an optional parameter, [[lang]]", "Write two directories: the parent itself, and [lang]."],
  ["[]", 'has no valid parameter name in "[]"', "Use letters, digits, _ and -, such as {id}."],
  ["[...]", 'has no valid parameter name in "[...]"', "Use letters, digits, _ and -, such as {id}."],
  ["[[...]]", 'has no valid parameter name in "[...]"', "Use letters, digits, _ and -, such as {id}."],
  ["[id", 'mixes text and a parameter in "[id"', "A parameter takes a whole segment: /files/{name}."],
  ["user-[id]", 'mixes text and a parameter in "user-[id]"', "A parameter takes a whole segment: /files/{name}."],
  ["[id].json", 'mixes text and a parameter in "[id].json"', "A parameter takes a whole segment: /files/{name}."],
  ["(.)photo", 'has a group that does not end, "(.)photo"', "The whole name of a group is in parentheses: (admin)."],
  ["()", 'has a group that does not end, "()"', "The whole name of a group is in parentheses: (admin)."],
  ["[a]/[a]", 'has the parameter "a" twice', "Give each parameter its own name."],
  [
    "a\\b",
    'has a segment that no request can have, "a\\\\b"',
    "Write the path without dot segments, backslashes and NUL.",
  ],
]

for (const [names, what, fix] of badDirectories) {
  test(`the directory ${names} is refused`, () => {
    const error = refusal(() => parseDirectoryPatterns(names.split("/")))
    const [line] = error.message.split("\n")
    assert.equal([line, error.fix], [`the pattern ${JSON.stringify(`/${names}`)} ${what}`, fix])
  })
}

test("a directory is a group only if its whole name is in parentheses", () => {
  assert.equal(["(admin)", "admin", "(admin", "()", "a(b)"].map(isGroupName), [true, false, false, false, false])
})

test("the type of a pattern names its parameters", () => {
  const of = <P extends string>(_: P, ...names: Array<ParamNames<P>>) => names
  of("/users/{id}/posts/:post/[tag]/*", "id", "post", "tag", "*")
  of("/docs/[...slug]", "slug")
  // @ts-expect-error: this parameter does not exist
  of("/users/{id}", "name")
  // @ts-expect-error: the pattern has no parameters
  of("/users", "users")
  const any: string = "/x"
  of(any, "whatever")
})

test.run()

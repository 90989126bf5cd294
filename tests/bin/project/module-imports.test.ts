/** Import statements, read from the tokens of a module. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listModuleImports } from "../../../bin/project/module-imports.ts"
import { readTokens } from "../../../bin/project/module-tokens.ts"

/** A statement, and the names in it, each with its local name. */
const statements: readonly [statement: string, names: string][] = [
  ['import "x"', ""],
  ['import a from "x"', "default=a"],
  ['import type from "x"', "default=type"],
  ['import type a from "x"', "default=a"],
  ["import * as a from 'x'", "*=a"],
  ['import type * as a from "x"', "*=a"],
  ['import a, * as b from "x"', "default=a *=b"],
  ['import a, { b, c as d } from "x"', "default=a b=b c=d"],
  ['import { a, type b, type c as d, type as e, type, } from "x"', "a=a b=b c=d type=e type=type"],
  ['import type { a } from "x"', "a=a"],
  ['import {} from "x"', ""],
  ['import {\n  from,\n  "b c" as d, // e\n  default as f,\n} from "x";', "from=from b c=d default=f"],
  ['export { a, b as c } from "x"', "a=a b=c"],
  ['export * from "x"', "*="],
  ['export type * from "x"', "*="],
  ['export * as a from "x"', "*=a"],
]
for (const [statement, expected] of statements) {
  test(`${statement} names ${expected || "nothing"}`, () => {
    const source = `import { before } from "y"\n${statement}\nexport const after = "x"\n`
    const [, found, ...others] = listModuleImports(readTokens("a.ts", source))
    assert.is(found?.names.map(({ name, local }) => `${name}=${local}`).join(" "), expected)
    assert.equal([found?.specifier, found?.hasAttributes, others], ["x", false, []])
  })
}

test("text in strings and calls of import() are not import statements", () => {
  const source =
    'import a from "./a.json" with { type: "json" }\nconst from = "x", b = `\nimport c from "c"\n`, d = import("d")\n'
  assert.equal(listModuleImports(readTokens("a.ts", source)), [
    { specifier: "./a.json", names: [{ name: "default", local: "a" }], hasAttributes: true },
  ])
})

test.run()

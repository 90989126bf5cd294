/** Wrong templates by the rule that they break, and the compiler's message about each. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../../template/index.ts"

/** A wrong source with ¦ at the position of the error, and parts of the message and the fix. */
export type Case = readonly [source: string, says: string]

/** Returns a file with one template of this body. */
export const page = (body: string): string => `template Page(x: any) {\n${body}\n}\n`
/** Converts cases of bodies to cases of files. */
export const inPage = (cases: readonly Case[]): Case[] => cases.map(([body, says]) => [page(body), says])

/** Adds a test for every rule: the first error of each source is at its mark, with this text. */
export function testRules(rules: Readonly<Record<string, readonly Case[]>>, file = "page.tpl"): void {
  for (const [rule, cases] of Object.entries(rules)) {
    test(`mistakes are reported at their place: ${rule}`, () => {
      for (const [marked, says] of cases) {
        const at = marked.indexOf("¦")
        const source = marked.replace("¦", "")
        const [first] = compile(source, file).diagnostics
        assert.ok(first, `no error for ${marked}`)
        const text = `${first.message} … ${first.fix}`
        assert.is(first.offset, at, `${marked}: wrong place ${first.offset} for: ${text}`)
        for (const part of says.split(" … ")) {
          assert.ok(text.toLowerCase().includes(part.toLowerCase()), `${marked}: "${text}" does not say "${part}"`)
        }
      }
    })
  }
}

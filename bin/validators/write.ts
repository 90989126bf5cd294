/** Writes validators as a module: plain functions without imports. */
import { byCodeUnit } from "../../lib/order.ts"
import { ValidatorFile } from "./file.ts"
import { Issues } from "./issues.ts"
import type { Validator } from "./model.ts"
import { joinNamed } from "./named.ts"
import { indented, Results } from "./results.ts"

const head = `// @ts-nocheck
// Written by fw from the types of bind(), bindForm(), bindQuery() and readForm(). Do not edit: it is written again.
`

/**
 * Returns the text of `.fw/validators.ts`: one exported Standard Schema per validator. It is JavaScript that is also
 * TypeScript, and imports nothing. Validators with the same name are written once.
 */
export function writeValidators(validators: readonly Validator[]): string {
  if (validators.length === 0) return `${head}export {}\n`
  const unique = [...new Map(validators.map((one) => [one.name, one])).values()]
  const { validators: joined, named } = joinNamed(unique.sort((a, b) => byCodeUnit(a.name, b.name)))
  const file = new ValidatorFile(named)
  const writers = { json: new Results("json", file), text: new Results("text", file) }
  const exported = joined.map((validator) =>
    exportOf(validator, validator.from === "json" ? writers.json : writers.text),
  )
  return `${[head + file.text, ...exported].join("\n")}\n`
}

function exportOf(validator: Validator, results: Results): string {
  const body = validateLines(validator, results)
  return `export const ${validator.name} = {
  "~standard": {
    version: 1,
    vendor: "fw",
    validate(v) {
${body.map((line) => `      ${line}\n`).join("")}    },
  },
}`
}

function validateLines({ type }: Validator, results: Results): string[] {
  const { file } = results
  if (file.resolved(type).kind === "any") return ["return { value: v }"]
  const refuse = file.helper("fail", "refuse")
  const why = new Issues(results).function(type)
  const lines = [
    `const value = ${results.of(type, "v", "0")}`,
    `return value === undefined ? ${refuse}(${why}, v) : { value }`,
  ]
  if (!file.isDeep(type)) return lines
  const caught = `return ${file.helper("tooDeep")}(error)`
  // Results are remembered for one value only.
  return [
    "try {",
    ...indented(["forget()", ...lines]),
    "} catch (error) {",
    `  ${caught}`,
    "} finally {",
    "  forget()",
    "}",
  ]
}

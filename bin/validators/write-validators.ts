/** Generates the module of validators: plain functions without imports. */
import { compareByCodeUnit } from "../../lib/order.ts"
import { IssueWriter } from "./issue-writer.ts"
import { indentLines, ResultWriter } from "./result-writer.ts"
import type { Validator } from "./validator.ts"
import { ValidatorFile } from "./validator-file.ts"

const fileHead = `// @ts-nocheck
// Written by fw from the types of bind(), bindForm(), bindQuery() and readForm(). Do not edit: it is written again.
`

/**
 * Returns the text of `.fw/validators.ts`, which exports a Standard Schema for each validator. It is JavaScript
 * that is also valid TypeScript, and it imports nothing. Validators with the same name are written once. All must
 * have been read from one program, whose named types have unique ids.
 */
export function writeValidators(validators: readonly Validator[]): string {
  if (validators.length === 0) return `${fileHead}export {}\n`
  const unique = [...new Map(validators.map((one) => [one.name, one])).values()]
  const named = new Map(unique.flatMap((one) => one.named.map((type) => [type.id, type] as const)))
  const file = new ValidatorFile([...named.values()])
  const writers = { json: new ResultWriter("json", file), text: new ResultWriter("text", file) }
  const exported = unique
    .sort((a, b) => compareByCodeUnit(a.name, b.name))
    .map((validator) => renderExport(validator, validator.from === "json" ? writers.json : writers.text))
  return `${[fileHead + file.text, ...exported].join("\n")}\n`
}

function renderExport(validator: Validator, results: ResultWriter): string {
  const body = renderValidate(validator, results)
  return `export const ${validator.name} = {
  "~standard": {
    version: 1,
    vendor: "fw",
    validate(v) {
${body.map((line) => `      ${line}\n`).join("")}    },
  },
}`
}

function renderValidate({ type }: Validator, results: ResultWriter): string[] {
  const { file } = results
  if (file.resolvePlain(type).kind === "any") return ["return { value: v }"]
  const refuse = file.useHelper("fail", "refuse")
  const listIssues = new IssueWriter(results).defineFunction(type)
  const lines = [
    `const value = ${results.renderResult(type, "v", "0")}`,
    `return value === undefined ? ${refuse}(${listIssues}, v) : { value }`,
  ]
  if (!file.isDeep(type)) return lines
  const caught = `return ${file.useHelper("catchTooDeep")}(error)`
  // The results are remembered only while a value is checked.
  return [
    "try {",
    ...indentLines(["forget()", ...lines]),
    "} catch (error) {",
    `  ${caught}`,
    "} finally {",
    "  forget()",
    "}",
  ]
}

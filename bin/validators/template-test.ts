/** Source that checks template literal types, in time that grows with the length of the text only. */
import type { TemplatePart } from "../../lib/openapi/model.ts"
import type { ValidatorFile } from "./file.ts"

/** Returns the condition that a text has the form of a template literal type. */
export function templateTest(template: readonly TemplatePart[], x: string, file: ValidatorFile): string {
  const isOnlyText = template.every((part) => "text" in part || part.any === "string")
  if (!isOnlyText) {
    const steps = template.flatMap((part, i) => stepsOf(part, template[i - 1]))
    return `${file.helper("follows")}(${x}, ${file.constant(JSON.stringify(steps))})`
  }
  const texts = [""]
  for (const part of template) {
    if ("text" in part) texts[texts.length - 1] += part.text
    else texts.push("")
  }
  if (texts.length === 1) return `${x} === ${JSON.stringify(texts[0])}`
  if (texts.every((text) => text === "")) return "true"
  return `${file.helper("glob")}(${x}, ${file.constant(JSON.stringify(texts))})`
}

/** A code unit, or one of the classes; true if it may occur again; the number of steps that may be left out. */
type Step = readonly [code: number, loops: 0 | 1, skip: number]

const anyCode = -1
const digit = -2
const sign = -3
const exponentMark = -4
const minus: Step = ["-".charCodeAt(0), 0, 1]
const digits: Step = [digit, 1, 0]
const fraction: readonly Step[] = [[".".charCodeAt(0), 0, 2], digits]
/** As in `1e+21`, which JavaScript prints. */
const exponent: readonly Step[] = [[exponentMark, 0, 3], [sign, 0, 1], digits]

function stepsOf(part: TemplatePart, before: TemplatePart | undefined): readonly Step[] {
  if ("text" in part) return [...part.text].flatMap(codes)
  // Two wildcards next to each other are one.
  if (part.any === "string")
    return before && "any" in before && before.any === "string" ? [] : [[anyCode, 1, 1]]
  return part.any === "integer" ? [minus, digits] : [minus, digits, ...fraction, ...exponent]
}

function codes(character: string): Step[] {
  return Array.from({ length: character.length }, (_, i) => [character.charCodeAt(i), 0, 0])
}

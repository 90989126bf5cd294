/** Generates code that checks template literal types in linear time. */
import type { TemplatePart } from "../openapi/document/model.ts"
import type { ValidatorFile } from "./validator-file.ts"

/** Returns the condition for a text to match a template literal type. */
export function renderTemplateTest(template: readonly TemplatePart[], x: string, file: ValidatorFile): string {
  const isOnlyText = template.every((part) => "text" in part || part.any === "string")
  if (!isOnlyText) {
    const steps = template.flatMap((part, i) => toSteps(part, template[i - 1]))
    return `${file.useHelper("matchesSteps")}(${x}, ${file.useConstant(JSON.stringify(steps))})`
  }
  const texts = [""]
  for (const part of template) {
    if ("text" in part) texts[texts.length - 1] += part.text
    else texts.push("")
  }
  if (texts.length === 1) return `${x} === ${JSON.stringify(texts[0])}`
  if (texts.every((text) => text === "")) return "true"
  return `${file.useHelper("matchesGlob")}(${x}, ${file.useConstant(JSON.stringify(texts))})`
}

/** A code unit or character class, whether it may be repeated, and the number of steps that may be skipped. */
type Step = readonly [code: number, loops: 0 | 1, skip: number]

const anyClass = -1
const digitClass = -2
const signClass = -3
const exponentClass = -4
const minusStep: Step = ["-".charCodeAt(0), 0, 1]
const digitsStep: Step = [digitClass, 1, 0]
const fractionSteps: readonly Step[] = [[".".charCodeAt(0), 0, 2], digitsStep]
/** The steps for an exponent, as JavaScript prints it: `1e+21`. */
const exponentSteps: readonly Step[] = [[exponentClass, 0, 3], [signClass, 0, 1], digitsStep]

function toSteps(part: TemplatePart, before: TemplatePart | undefined): readonly Step[] {
  if ("text" in part) return [...part.text].flatMap(toCodeSteps)
  // Two adjacent wildcards are the same as one.
  if (part.any === "string") return before && "any" in before && before.any === "string" ? [] : [[anyClass, 1, 1]]
  return part.any === "integer" ? [minusStep, digitsStep] : [minusStep, digitsStep, ...fractionSteps, ...exponentSteps]
}

function toCodeSteps(character: string): Step[] {
  return Array.from({ length: character.length }, (_, i) => [character.charCodeAt(i), 0, 0])
}

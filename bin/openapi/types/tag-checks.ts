/**
 * Finds tags that do not have the effect that they seem to have: their value is invalid, they do not fit the type,
 * or their name is misspelt.
 */

import { findNearest } from "../../cli/find-nearest.ts"
import { type CommentTag, readComment } from "../document/comment.ts"
import { numberTags, readPattern } from "../document/constraints.ts"
import type { TypeData } from "../document/model.ts"
import { resolveType } from "../document/type-parts.ts"
import { formatExamples } from "./text-formats.ts"

/** A problem with a tag, and how to fix it. */
export interface TagProblem {
  readonly message: string
  readonly fix: string
  /** True if the tag is certainly wrong, which is an error. False if its name may be misspelt. */
  readonly isMistake: boolean
}

type Kind = TypeData["kind"]
type TypesByID = ReadonlyMap<string, TypeData>

const numericKinds: readonly Kind[] = ["number", "integer", "integer-text"]
const textualKinds: readonly Kind[] = ["string", "date", "integer-text"]

/** Returns the kinds of types that a tag can limit, and their name in messages. */
function findLimitedKinds(name: string): readonly [kinds: readonly Kind[], noun: string] {
  if (/Length$|^pattern$/.test(name)) return [textualKinds, "a string"]
  return /Items$/.test(name) ? [["array", "tuple"], "an array"] : [numericKinds, "a number"]
}

/** The names of the formats that are checked. */
export const textualFormats: readonly string[] = Object.keys(formatExamples)
const knownTags = [...numberTags, "format", "pattern", "default", "deprecated", "example"]
/** Names of other libraries and of JSON Schema, and the names in fw that correspond to them. */
const foreignNames: Readonly<Record<string, string>> = { min: "minimum", max: "maximum", url: "uri" }

/** Returns the problems of the tags that limit a type. */
export function findTagProblems(type: Extract<TypeData, { kind: "all" }>, types: TypesByID): TagProblem[] {
  const { subject, comment } = type.tags ?? { subject: "", comment: "" }
  return readComment(comment).tags.flatMap(
    (tag) => findTagProblem(tag, subject, type, types) ?? findMisspelling(tag, subject) ?? [],
  )
}

function findTagProblem(tag: CommentTag, property: string, type: TypeData, types: TypesByID): TagProblem | undefined {
  const subject = `the @${tag.name} of "${property}"`
  const isNumber = numberTags.includes(tag.name)
  if (isNumber) {
    const value = tag.text === "" ? Number.NaN : Number(tag.text)
    const isCount = /^m..(?:Length|Items)$/.test(tag.name)
    const isRight = isCount ? Number.isInteger(value) && value >= 0 : Number.isFinite(value)
    const isLargeEnough = tag.name === "multipleOf" ? value > 0 : true
    if (!isRight || !isLargeEnough) {
      const expected = isCount ? "a whole number of at least 0" : isLargeEnough ? "a number" : "a number greater than 0"
      return {
        message: `${subject} is not ${expected}`,
        fix: `Write only the number: @${tag.name} 1`,
        isMistake: true,
      }
    }
  }
  const flags = tag.name === "pattern" ? readPattern(tag.text).flags.match(/[ims]/g) : null
  if (flags)
    return {
      message: `${subject} has the flag ${flags.join("")}, which JSON Schema does not have`,
      fix: "Write a pattern that needs no flags, such as ^[Aa]$.",
      isMistake: true,
    }
  if (tag.name === "pattern" && !isPattern(readPattern(tag.text).source))
    return {
      message: `${subject} is not valid`,
      fix: "Write a regular expression of JavaScript that is valid with the flag u.",
      isMistake: true,
    }
  const isText = tag.name === "format" && textualFormats.includes(tag.text)
  const isInteger = tag.name === "format" && /^int(?:32|64)$/.test(tag.text)
  if (!isNumber && tag.name !== "pattern" && !isText && !isInteger) return undefined
  const [kinds, noun] = isText ? findLimitedKinds("pattern") : findLimitedKinds(tag.name)
  if (hasKind(type, [...kinds, "any", "never"], types)) return undefined
  return {
    message: `${subject} is for ${noun}, but its type is not one`,
    fix: "Remove the tag, or change the type.",
    isMistake: true,
  }
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp
  } catch {
    return false
  }
}

/** Returns true if a type or one of its members has one of these kinds. */
function hasKind(type: TypeData, kinds: readonly Kind[], types: TypesByID): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === "union") return plain.members.some((member) => hasKind(member, kinds, types))
  const kind = plain.kind === "literal" ? (typeof plain.value as Kind) : plain.kind
  return kinds.includes(kind)
}

/**
 * Returns the problem of a name that is similar to one that fw knows. Every format is allowed, so only long names
 * of formats are compared.
 */
function findMisspelling({ name, text }: CommentTag, property: string): TagProblem | undefined {
  if (name === "type" && /^\{?int(?:eger)?\}?$/.test(text))
    return toNameProblem(`@type ${text}`, property, "@multipleOf 1")
  if (name === "format") {
    const suggestion = textualFormats.includes(text) ? undefined : suggestName(text, textualFormats)
    return suggestion === undefined ? undefined : toNameProblem(`@format ${text}`, property, `@format ${suggestion}`)
  }
  const suggestion = knownTags.includes(name) ? undefined : suggestName(name, knownTags)
  return suggestion === undefined ? undefined : toNameProblem(`@${name}`, property, `@${suggestion}`)
}

function suggestName(word: string, names: readonly string[]): string | undefined {
  const exactName = Object.hasOwn(foreignNames, word)
    ? foreignNames[word]
    : names.find((one) => one.toLowerCase() === word.toLowerCase())
  if (exactName !== undefined) return names.includes(exactName) ? exactName : undefined
  return /^[a-z-]{5,}$/i.test(word)
    ? findNearest(
        word,
        names.filter((one) => one.length > 4),
      )
    : undefined
}

function toNameProblem(tag: string, property: string, suggestion: string): TagProblem {
  return {
    message: `"${property}" has ${tag}, which fw does not know`,
    fix: `Write ${suggestion}.`,
    isMistake: false,
  }
}

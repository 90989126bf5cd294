/**
 * A compiled file in pieces, for the type checks of editors: after a change inside one template, only this template is read
 * again. The result is the same as that of `compileFor("check", …)`.
 */

import type { Plain, Template } from "./ast.ts"
import { baseName, languageOf } from "./compile.ts"
import { type Diagnostic, diagnose, type Problem } from "./diagnostic.ts"
import { emitPart } from "./emit.ts"
import { type OneTemplate, parseModule, parseOne } from "./module.ts"
import { type Made, madeBy, moduleHead, preamble } from "./module-head.ts"
import { lineStarts } from "./position.ts"
import type { ModuleNames } from "./scope.ts"
import { type Copy, Writer } from "./writer.ts"

/** A template, or the TypeScript between two, with its code. */
export interface Piece {
  readonly part: Plain | Template
  /** The source from which it was read: offsets in `part` and `copies` are those in this text. */
  readonly source: string
  /** The number to add to these offsets for those in the present source. */
  readonly shift: number
  readonly code: string
  /** The copied parts, with their offsets in this code. */
  readonly copies: readonly Copy[]
  readonly helpers: ReadonlySet<string>
}

/** A compiled file. */
export interface Pieces {
  readonly file: string
  readonly source: string
  /** The code without a source map. */
  readonly code: string
  readonly copies: readonly Copy[]
  readonly diagnostics: readonly Diagnostic[]
  readonly pieces: readonly Piece[]
  /** The last version without an error; undefined if there was none. */
  readonly sound: Sound | undefined
  /** The number of parts that were read for this version. */
  readonly read: number
}

/** A version without an error. */
interface Sound {
  readonly source: string
  readonly pieces: readonly Piece[]
  readonly names: ModuleNames
  readonly made: Made
}

/** Compiles a file. @param before the file before a change. */
export function compilePieces(source: string, file: string, before?: Pieces): Pieces {
  return (before?.sound && changedPieces(source, file, before.sound)) ?? allPieces(source, file)
}

function allPieces(source: string, file: string): Pieces {
  const language = languageOf(file)
  const { parts, problems, names } = parseModule(source, language)
  const starts = lineStarts(source)
  const made = madeBy(source, language)
  const pieces = parts.map((part) => pieceOf(source, file, part, made, starts))
  const base = { pieces, names, made, source }
  const sound = problems.length === 0 ? base : undefined
  return joined({ file, source, problems, starts, pieces, made, sound, read: parts.length })
}

/** Returns a file that was without an error, after changes inside one template; undefined if more may change. */
function changedPieces(source: string, file: string, sound: Sound): Pieces | undefined {
  const [start, end] = changeOf(sound.source, source)
  const at = sound.pieces.findIndex(({ part, shift }) => {
    if (part.kind !== "template") return false
    return part.list.start + shift <= start && end <= part.inside.end + shift
  })
  const old = sound.pieces[at]
  const made = madeBy(source, languageOf(file))
  if (old?.part.kind !== "template" || JSON.stringify(made) !== JSON.stringify(sound.made)) return undefined
  const grown = source.length - sound.source.length
  const again = readAgain(source, file, old.part, old.shift, sound.names)
  const rest = again && restAfter(again, sound.pieces, at, source.length, grown)
  if (!again || rest === undefined) return undefined
  const starts = lineStarts(source)
  const pieces = [
    ...sound.pieces.slice(0, at),
    ...again.parts.map((part) => pieceOf(source, file, part, made, starts)),
    ...sound.pieces.slice(rest).map((piece) => ({ ...piece, shift: piece.shift + grown })),
  ]
  const problems = again.problem ? [again.problem] : []
  const next = again.problem ? sound : { ...sound, pieces, source }
  return joined({ file, source, problems, starts, pieces, made, sound: next, read: again.parts.length })
}

/** Parses a template again; undefined if a name in it may be an error. */
function readAgain(
  source: string,
  file: string,
  { name, start, nameStart }: Template,
  shift: number,
  names: ModuleNames,
): OneTemplate | undefined {
  const named = { at: start + shift, name, nameStart: nameStart + shift }
  const again = parseOne(source, named, languageOf(file))
  return again.suspects.some((suspect) => names.has(suspect)) ? undefined : again
}

/** Returns the index of the piece with which the file goes on as before; undefined if it goes on elsewhere. */
function restAfter(
  { problem, end }: OneTemplate,
  pieces: readonly Piece[],
  at: number,
  length: number,
  grown: number,
): number | undefined {
  // After an error, it goes on with the next template.
  const found = pieces.findIndex(({ part }, index) => index > at && (!problem || part.kind === "template"))
  const next = pieces[found]
  const expected = next ? next.part.start + next.shift + grown : length
  return end === expected ? (next ? found : pieces.length) : undefined
}

function pieceOf(
  source: string,
  file: string,
  part: Plain | Template,
  made: Made,
  starts: readonly number[],
): Piece {
  const helpers = new Set<string>()
  const writer = new Writer(source, preamble, starts)
  emitPart(writer, helpers, part, { language: languageOf(file), type: made.type, purpose: "check" })
  return { part, source, shift: 0, code: writer.text, copies: writer.copies, helpers }
}

interface Parts extends Pick<Pieces, "file" | "source" | "pieces" | "sound" | "read"> {
  readonly problems: readonly Problem[]
  readonly starts: readonly number[]
  readonly made: Made
}

function joined({ problems, starts, made, ...known }: Parts): Pieces {
  const { pieces, file, source } = known
  const helpers = new Set(pieces.flatMap((piece) => [...piece.helpers]))
  const parts = pieces.map(({ part }) => part)
  const head = moduleHead(baseName(file), parts, helpers, made)
  const copies: Copy[] = []
  let length = head.length
  for (const { code, copies: own, shift } of pieces) {
    for (const copy of own) copies.push({ ...copy, at: copy.at + length, start: copy.start + shift })
    length += code.length
  }
  const code = head + pieces.map((piece) => piece.code).join("")
  const diagnostics = problems.map(({ offset, message, fix }) =>
    diagnose(file, source, offset, message, fix, starts),
  )
  return { ...known, code: code.endsWith("\n") ? code : `${code}\n`, copies, diagnostics }
}

/** Returns the part of a text, from its start to before its end, that another text has changed. */
export function changeOf(before: string, after: string): readonly [start: number, end: number] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  const most = shorter - start
  while (
    end < most &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  return [start, before.length - end]
}

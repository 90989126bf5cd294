/** Reads the calls that are validated against a type, each with its position in the text and its validator. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { toPosition } from "../../lib/scan/tokens.ts"
import { originalPosition } from "../../template/sourcemap.ts"
import { projectMessages } from "../messages/project.ts"
import type { Notice, SourceLocation, TypeData, TypeProblem } from "../openapi/document/model.ts"
import { InputTypes } from "../openapi/types/input-types.ts"
import { mayBeNothing, nothingType, removeNothing } from "../openapi/types/type-data.ts"
import { readInlineMap } from "../project/rewrite.ts"
import type { SourceFile, TypeProgram } from "../tools/typescript/program.ts"
import {
  type BindMethod,
  type FoundCall,
  findCallee,
  findCalls,
  findMethodWithoutSchema,
  mayBindPattern,
} from "./find-calls.ts"
import { createValidator, type Validator } from "./validator.ts"

/** A call without a schema, as plain data. */
export interface PreparedCall {
  readonly method: BindMethod | "Job"
  /** The position of the method's name. For a compiled template, it is the position in the template. */
  readonly location: SourceLocation & { readonly column: number }
  /** Offsets of the start of the call, of the method's name, of the first argument, and of the end. */
  readonly start: number
  readonly name: number
  readonly argument: number
  readonly end: number
  /** True if the call has arguments, which then come after the validator. */
  readonly hasArguments: boolean
  /** The validator; null if the type cannot be checked. */
  readonly validator: Validator | null
  /** Why the type cannot be checked. */
  readonly problems: readonly TypeProblem[]
}

/** The calls of a file. */
export interface FileCalls {
  /** Path relative to the project, with forward slashes. */
  readonly file: string
  /** The text to which the offsets refer. */
  readonly text: string
  readonly calls: readonly PreparedCall[]
  /** Types that accept anything, and tags that may be misspelt. */
  readonly notices: readonly Notice[]
}

/**
 * Returns the text of a file as TypeScript reads it, without a byte order mark; undefined if the file does not
 * exist.
 */
export function readSourceText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "")
  } catch {
    return undefined
  }
}

/**
 * Returns a binding method that a file calls without a schema, such as `bind`; undefined if there is none. It reads
 * only the text of the file, not its types.
 */
export function findBindingMethod(path: string): string | undefined {
  const text = readSourceText(path)
  return text === undefined || !mayBindPattern.test(text) ? undefined : findMethodWithoutSchema(text, path)
}

/** Returns the files of a program that may call a binding method, relative to the project. */
export function findFilesWithCalls(program: TypeProgram): string[] {
  const files = program.listOwnFiles(true).map((path) => program.toRelativePath(path))
  return files.filter((file) => isJobFile(file) || mayBindPattern.test(readSourceText(join(program.root, file)) ?? ""))
}

/** Reads the calls of some files. Files without calls are left out. */
export function readCalls(program: TypeProgram, files: readonly string[]): FileCalls[] {
  const types = new InputTypes(program)
  return files.flatMap((file) => {
    const source = program.getFile(file)
    if (!source) return []
    const previousCount = types.notices.length
    const calls = findCalls(source, program).map((call) => prepareCall(call, source.text, types, program))
    if (isJobFile(file)) calls.push(...readPayload(source, types, program))
    const notices = types.notices.slice(previousCount).map((notice) => moveToTemplate(notice, file, source.text))
    return calls.length > 0 ? [{ file, text: source.text, calls, notices }] : []
  })
}

function prepareCall(call: FoundCall, text: string, types: InputTypes, program: TypeProgram): PreparedCall {
  const { node, method, from, type } = call
  const { file } = program.findPlace(node)
  const callee = findCallee(node, program)
  const name = (callee.name ?? callee.argumentExpression ?? callee).getStart()
  const [first] = node.arguments
  const at = findPlace(file, text, name)
  const check = typeof type === "string" ? createTypeProblem(type, method, at) : readType(type)
  return {
    method,
    location: at,
    start: node.getStart(),
    name,
    argument: first ? first.getStart() : node.end - 1,
    end: node.end,
    hasArguments: first !== undefined,
    ...check,
  }

  function readType(type: Exclude<FoundCall["type"], string>) {
    // A call without a type argument promises no check.
    if (!node.typeArguments && type.flags & program.flags.Unknown)
      return { validator: createValidator({ kind: "any" }, from, []), problems: [] }
    const shape = types.convert(type, node, from)
    const problems = types.listProblems(type, from)
    return { validator: problems.length > 0 ? null : createValidator(shape, from, types.namedTypes), problems }
  }
}

/** Returns true for a job file, whose export `Job` may have a payload. */
export function isJobFile(file: string): boolean {
  return /(?:^|[\\/])job\.m?ts$/.test(file)
}

/** Reads the payload of a job file, which is the first parameter of its function `Job`. */
function readPayload(source: SourceFile, types: InputTypes, program: TypeProgram): PreparedCall[] {
  const { checker } = program
  const module = checker.getSymbolAtLocation(source)
  const exported = module && checker.getExportsOfModule(module).find(({ name }) => name === "Job")
  const node = program.resolveNode(exported?.valueDeclaration)
  const job = exported && checker.getTypeOfSymbol(exported)
  const signature = job && checker.getSignaturesOfType(job, 0)[0]
  if (!node || !signature) return []
  const [parameter] = signature.getParameters()
  const parameterType = parameter && checker.getTypeOfSymbol(parameter)
  const { Undefined, Void } = program.flags
  const payload = parameterType && parameterType.flags & (Undefined | Void) ? undefined : parameterType
  const start = node.getStart()
  const location = findPlace(program.findPlace(node).file, source.text, start)
  // A Job() without a parameter accepts only undefined. The payload is wrapped in an object, because only a
  // property can be missing.
  const type = payload ? types.convert(payload, node, "json") : nothingType
  const optional = type === nothingType || mayBeNothing(type)
  const shape: TypeData = { kind: "object", properties: [{ name: "payload", type: removeNothing(type), optional }] }
  const problems = payload ? types.listProblems(payload, "json") : []
  const validator = problems.length > 0 ? null : createValidator(shape, "json", types.namedTypes)
  return [
    {
      method: "Job",
      location,
      start,
      name: start,
      argument: start,
      end: start,
      hasArguments: false,
      validator,
      problems,
    },
  ]
}

/** Returns a notice with its position. For a compiled template, it is the position in the template. */
function moveToTemplate(notice: Notice, file: string, text: string): Notice {
  const map = readInlineMap(text, file)
  const found = map && notice.at && originalPosition(map, { line: notice.at.line, column: 0 })
  return found ? { ...notice, at: { file: file.slice(0, -".ts".length), line: found.line } } : notice
}

/** Returns the position of an offset. For a compiled template, it is the position in the template. */
function findPlace(file: string, text: string, offset: number) {
  const { line, column } = toPosition(text, offset)
  const map = readInlineMap(text, file)
  const found = map && originalPosition(map, { line, column: column - 1 })
  return found
    ? { file: file.slice(0, -".ts".length), line: found.line, column: found.column + 1 }
    : { file, line, column }
}

/** Returns the problem of a call whose type is a type parameter or not known. */
function createTypeProblem(kind: "parameter" | "unknown", method: BindMethod, at: SourceLocation) {
  const [message, fix = ""] = projectMessages[`validators.${kind}`](method)
  return { validator: null, problems: [{ message, fix, at }] }
}

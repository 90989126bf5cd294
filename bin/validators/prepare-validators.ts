/** Creates the validators of a project that will be bundled: reads its types and writes `.fw/validators.ts`. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { projectFault } from "../messages/project.ts"
import { findBrokenSyntax } from "../openapi/types/broken-syntax.ts"
import { findFiles } from "../project/find-files.ts"
import { locateProblem, type Problem } from "../project/problems.ts"
import { removeFile, writeIfChanged } from "../system/whole-file.ts"
import { openTypes } from "../tools/typescript/program.ts"
import { CallRoots } from "./call-roots.ts"
import {
  type FileCalls,
  findBindingMethod,
  findFilesWithCalls,
  isJobFile,
  readCalls,
  readSourceText,
} from "./read-calls.ts"
import { writeValidators } from "./write-validators.ts"

/** The generated file, relative to the project. */
export const validatorsFile = ".fw/validators.ts"

/** The reason why a call is not checked, or the notice that it accepts anything. */
export interface CallProblem {
  /** True if a build must fail. */
  readonly isError: boolean
  readonly file: string
  readonly line: number
  readonly column?: number
  readonly message: string
  readonly fix: string
}

/** The calls of a project. */
export interface PreparedProject {
  /** The files with calls, by absolute path. */
  readonly files: ReadonlyMap<string, FileCalls>
  /** The absolute paths of all files that were searched for calls. */
  readonly searchedFiles: ReadonlySet<string>
  readonly problems: readonly CallProblem[]
  /** True if the generated file was written, false if it was up to date; undefined if there is none. */
  readonly wasWritten: boolean | undefined
}

const sourcePattern = /\.(?:[cm]?ts|tsx|jsx?|[cm]js)$/
const typedPattern = /\.(?:[cm]?ts|tsx)$/

/** Returns all modules of a project, also those that belong to no route. */
export function findSourceFiles(root: string): Promise<string[]> {
  return findFiles(root, (name) => sourcePattern.test(name) && !/\.d\.[cm]?ts$/.test(name))
}

/** Returns the files whose types must be read to find calls. */
export function findRoots(root: string, files: readonly string[]): string[] {
  const roots = new CallRoots(root)
  return files.filter((file) => roots.isRoot(file, readSourceText(join(root, file)) ?? ""))
}

/** Returns a file with a call that cannot be checked without types; undefined if there is none. */
export function findUntypedCall(root: string, files: readonly string[]): string | undefined {
  return files.find(
    (file) => typedPattern.test(file) && (isJobFile(file) || findBindingMethod(join(root, file)) !== undefined),
  )
}

/**
 * Reads the calls of a project and writes their validators.
 *
 * @param isStrict true to report an error for every type that cannot be checked.
 * @throws FwError `validators` if types cannot be read, or contain names that do not exist.
 */
export async function prepareValidators(root: string, isStrict = false): Promise<PreparedProject> {
  const roots = findRoots(root, await findSourceFiles(root))
  const { files, searchedFiles } = roots.length > 0 ? await readProject(root, roots) : noCalls
  const problems = listProblems(files, isStrict)
  const errors = problems.filter(({ isError }) => isError)
  if (errors.length > 0) throw validatorError(errors)
  const wasWritten = await writeValidatorsFile(root, files)
  const byPath = files.map((found) => [join(root, found.file), found] as const)
  return {
    files: new Map(byPath),
    searchedFiles: new Set(searchedFiles.map((file) => join(root, file))),
    problems,
    wasWritten,
  }
}

/** The names of the validators that this process has written, by project. */
const writtenNames = new Map<string, string>()

/**
 * Writes the validators of some files.
 *
 * @returns false if the file was up to date; undefined if there are no validators.
 */
export async function writeValidatorsFile(root: string, files: readonly FileCalls[]): Promise<boolean | undefined> {
  const target = { root, path: validatorsFile }
  const validators = files.flatMap(({ calls }) => calls.flatMap(({ validator }) => validator ?? []))
  const names = [...new Set(validators.map(({ name }) => name))].sort().join()
  // Names depend on the content, so comparing them shows whether anything has changed, without generating the text.
  if (names === writtenNames.get(root) && existsSync(join(root, validatorsFile))) return false
  writtenNames.set(root, names)
  if (validators.length > 0) return writeIfChanged(target, writeValidators(validators))
  await removeFile(target)
  return undefined
}

/** The calls of a project, and the files that were searched. */
interface ReadProject {
  readonly files: readonly FileCalls[]
  readonly searchedFiles: readonly string[]
}

const noCalls: ReadProject = { files: [], searchedFiles: [] }

async function readProject(root: string, roots: readonly string[]): Promise<ReadProject> {
  const program = await openTypes(root, { files: roots })
  if ("untyped" in program) {
    const file = findUntypedCall(root, roots)
    if (file === undefined) return noCalls
    throw projectFault("validators.untyped", [program.untyped, program.fix], { at: { file } })
  }
  try {
    const searchedFiles = findFilesWithCalls(program)
    const files = readCalls(program, searchedFiles)
    const syntaxProblem = files.length > 0 && findBrokenSyntax(program)
    if (syntaxProblem)
      throw projectFault("validators.untyped", [syntaxProblem.untyped, syntaxProblem.fix], {
        at: { file: files[0]?.file ?? "" },
      })
    return { files, searchedFiles }
  } finally {
    program.close()
  }
}

/** Returns the problems of the calls, in the order of the files. A type that accepts anything is reported once. */
export function listProblems(files: readonly FileCalls[], isStrict: boolean): CallProblem[] {
  const problems = files.flatMap(({ calls }) =>
    calls.flatMap(({ method, location, problems }) =>
      problems.map(({ message, fix, isMistake }): CallProblem => {
        // Without a validator, all values of a form would be texts, so this is an error.
        return { isError: isStrict || isMistake === true || method !== "bind", ...location, message, fix }
      }),
    ),
  )
  const notices = files.flatMap(({ notices }) => notices)
  const first = notices.find(({ isOpen }) => isOpen)
  const reportedNotices = notices.filter((notice) => !notice.isOpen || notice === first)
  return [
    ...problems,
    ...reportedNotices.flatMap(({ at, message, fix }) => (at ? [{ isError: false, ...at, message, fix }] : [])),
  ]
}

/** Returns problems with the source lines around them. */
export function toCallWarnings(root: string, problems: readonly CallProblem[]): Problem[] {
  return problems.map(({ message, fix, file, line, column }) =>
    locateProblem(root, file, { line, ...(column && { column }) }, { message, fix }),
  )
}

function validatorError(problems: readonly CallProblem[]): FwError {
  const faults = problems.map(({ message, fix, file, line, column }) =>
    projectFault("validators", [message, fix], { at: { file, line, ...(column && { column }) } }),
  )
  const [only] = faults
  return faults.length === 1 && only ? only : projectFault("validators.several", [faults], { problems: faults })
}

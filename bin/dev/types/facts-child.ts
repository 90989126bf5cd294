/**
 * The process that reads the types of the project in the working directory: it generates the OpenAPI document, the
 * MCP tools, and the validators of calls.
 */
import { join } from "node:path"
import { FwError } from "../../../lib/errors.ts"
import { createEmbeddedAPI, findServedParts } from "../../openapi/embedded-api.ts"
import { getTypeCache, keepTypeCaches, type TypeCache } from "../../openapi/type-cache.ts"
import { findBrokenSyntax } from "../../openapi/types/broken-syntax.ts"
import { locateProblem, type Problem } from "../../project/problems.ts"
import { writeIfChanged } from "../../system/whole-file.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import { type AnswerFinding, readAnswerTypes, type SentAnswer } from "../../validators/answers/answers.ts"
import { type CallSite, toCallSites, toSourceName } from "../../validators/call-sites.ts"
import {
  type CallProblem,
  findRoots,
  findSourceFiles,
  findUntypedCall,
  listProblems,
  writeValidatorsFile,
} from "../../validators/prepare-validators.ts"
import { type FileCalls, findFilesWithCalls, readCalls } from "../../validators/read-calls.ts"
import { writeValidators } from "../../validators/write-validators.ts"

/** The validators for the calls in a file, or the reason why the types cannot be read. */
export type CallFacts =
  | {
      /** The code of a module that exports the validators. */
      readonly code: string
      readonly sites: readonly CallSite[]
      /** The calls in the project that are not checked or that accept any input. */
      readonly problems: readonly CallProblem[]
    }
  | { readonly untyped: string; readonly fix: string }

/** The result for each type of question. */
export interface FactsAnswers {
  readonly document: {
    /** The reason why types were not read, and the routes that cannot be tools. */
    readonly problems: readonly Problem[]
  }
  readonly calls: CallFacts
  /** The differences between an answer and its type. */
  readonly answer: readonly AnswerFinding[]
}

/** A question from the parent. */
export interface FactsOrder {
  readonly id: number
  readonly kind: keyof FactsAnswers
  readonly appDir: string
  /** The file of the calls, as source maps name it. Without a file, the types are read in advance. */
  readonly file?: string | undefined
  /** True for the calls of the last program that could be built, instead of the calls in the current files. */
  readonly isOld?: boolean
  /** The answer to compare with its type. */
  readonly answer?: SentAnswer
}

/** The reply to a question. */
export interface FactsReply {
  readonly id: number
  readonly answer: FactsAnswers[keyof FactsAnswers]
}

const root = process.cwd()
const releaseTypes = keepTypeCaches()
/** The calls in the last files that could be built. */
let lastBuiltCalls: readonly FileCalls[] | undefined
/** Questions that arrived while others were answered. Types are read once for all of them. */
const waitingOrders: FactsOrder[] = []
let isWorking = false
/** The timer that ends the process. If a question arrives too late, the parent asks the next process again. */
let idleTimer: NodeJS.Timeout | undefined

async function carryOutOrders(): Promise<void> {
  if (isWorking) return
  isWorking = true
  clearTimeout(idleTimer)
  for (let orders = waitingOrders.splice(0); orders.length > 0; orders = waitingOrders.splice(0)) {
    const documents = orders.filter(({ kind }) => kind === "document")
    const callOrders = orders.filter(({ kind }) => kind === "calls")
    // Answered first, because a request may be waiting for the validators.
    const files = await readAskedCalls(callOrders)
    for (const { id, file, isOld } of callOrders)
      if (files) sendReply(id, toCallFacts((isOld && lastBuiltCalls) || files, file))
    const [first] = documents
    const document = first && (await makeDocument(first.appDir))
    for (const { id } of documents) if (document) sendReply(id, document)
    const hasCurrent = callOrders.some(({ isOld }) => !isOld)
    if (hasCurrent && files && !("untyped" in files)) await writeValidatorsFile(root, files)
    await compareAnswers(orders.filter(({ kind }) => kind === "answer"))
  }
  isWorking = false
  idleTimer = setTimeout(() => process.connected && process.disconnect(), Number(process.argv[2]))
  idleTimer.unref()
}

/** Reads the calls for some questions; null if there are no questions. */
async function readAskedCalls(orders: readonly FactsOrder[]): Promise<readonly FileCalls[] | Untyped | null> {
  if (orders.length === 0) return null
  if (lastBuiltCalls && orders.every(({ isOld }) => isOld)) return lastBuiltCalls
  const files = await readCurrentCalls(root, getTypeCache(root) as TypeCache)
  if (!("untyped" in files) && !orders.some(({ isOld }) => isOld)) lastBuiltCalls = files
  return files
}

function sendReply(id: number, answer: FactsReply["answer"]): void {
  if (process.connected) process.send?.({ id, answer } satisfies FactsReply)
}

/** Compares answers with their types. Problems of the types themselves are reported elsewhere. */
async function compareAnswers(orders: readonly FactsOrder[]): Promise<void> {
  const [first] = orders
  const types = first && (await readAnswerTypes({ root, appDir: first.appDir }).catch(() => null))
  const answerTypes = types && !("untyped" in types) ? types : null
  for (const { id, answer } of orders)
    sendReply(id, (answer && (await answerTypes?.check(answer).catch(() => []))) ?? [])
}

async function makeDocument(appDir: string): Promise<FactsAnswers["document"]> {
  try {
    const { files, untyped, leftOut } = await createEmbeddedAPI(root, appDir, await findServedParts(root))
    // The program under fw dev reads the JSON files and not the modules.
    for (const { file, text } of files.filter(({ file }) => file.endsWith(".json")))
      await writeIfChanged({ root, path: join(root, file) }, text)
    const reason = untyped ? [{ message: untyped.message, fix: untyped.fix }] : []
    const places = leftOut.map(({ at, ...problem }) => locateProblem(root, at?.file ?? "", at, problem))
    return { problems: [...reason, ...places] }
  } catch (error) {
    // The same problem prevents the build of the program, which reports it.
    if (error instanceof FwError) return { problems: [] }
    throw error
  }
}

/** Returns the validators of one file. */
function toCallFacts(files: readonly FileCalls[] | Untyped, file: string | undefined): CallFacts {
  if ("untyped" in files) return { untyped: files.untyped, fix: files.fix }
  const callsOfFile = files.find((one) => toSourceName(one) === file)
  const validators = callsOfFile?.calls.flatMap(({ validator }) => validator ?? []) ?? []
  return {
    code: writeValidators(validators),
    sites: callsOfFile ? toCallSites(callsOfFile) : [],
    problems: listProblems(files, false),
  }
}

process.on("message", (order: FactsOrder) => {
  waitingOrders.push(order)
  void carryOutOrders()
})
process.once("disconnect", () => void releaseTypes())
// Ctrl-C reaches every process of a terminal. The parent decides when to stop.
process.on("SIGINT", () => {})

/** Returns the current calls, or the reason why types cannot be read. */
async function readCurrentCalls(root: string, types: TypeCache): Promise<readonly FileCalls[] | Untyped> {
  const roots = findRoots(root, await findSourceFiles(root))
  if (roots.length === 0) return []
  const read = await types.useProgram("calls", roots, (program) => {
    const files = readCalls(program, findFilesWithCalls(program))
    return (files.length > 0 && findBrokenSyntax(program)) || files
  })
  if (!("untyped" in read)) return read
  return findUntypedCall(root, roots) ? read : []
}

/** Reads the types of the project in its working directory: makes its document and its tools, and the validators of its calls. */
import { join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { askedParts, embeddedAPI } from "../openapi/embed.ts"
import { type KeptTypes, keepTypes, keptTypes } from "../openapi/kept-types.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { type AnswerFinding, readAnswerTypes, type SentAnswer } from "../validators/answers/answers.ts"
import { keptCalls } from "../validators/kept.ts"
import { type CallProblem, problemsOf, writeValidatorsFile } from "../validators/prepare.ts"
import type { FileCalls } from "../validators/read.ts"
import { type CallSite, sitesOf, sourceName } from "../validators/sites.ts"
import { writeValidators } from "../validators/write.ts"

/** The validators of the calls of a file; or the reason why the types cannot be read. */
export type CallFacts =
  | {
      /** The module that exports them. */
      readonly code: string
      readonly sites: readonly CallSite[]
      /** Calls of the project that are not checked, and one that accepts everything. */
      readonly problems: readonly CallProblem[]
    }
  | { readonly untyped: string; readonly fix: string }

/** The answers by the kind of the question. */
export interface FactsAnswers {
  readonly document: {
    /** The reason why types were not read, and routes that cannot be tools. */
    readonly problems: readonly Problem[]
  }
  readonly calls: CallFacts
  /** The differences between an answer and its type. */
  readonly answer: readonly AnswerFinding[]
}

/** A question. */
export interface FactsOrder {
  readonly id: number
  readonly kind: keyof FactsAnswers
  readonly appDir: string
  /** The file whose calls are asked for, as source maps name it. Without one, the types are only read. */
  readonly file?: string | undefined
  /** True for the calls of the last program that could be built, instead of those of the current files. */
  readonly old?: boolean
  /** The answer to compare with its type. */
  readonly answer?: SentAnswer
}

/** The answer to a question. */
export interface FactsReply {
  readonly id: number
  readonly answer: FactsAnswers[keyof FactsAnswers]
}

const root = process.cwd()
const release = keepTypes()
/** The calls of the last files that were a program. */
let built: readonly FileCalls[] | undefined
/** Orders that arrived while others were carried out: types are read once for all of them. */
const waiting: FactsOrder[] = []
let isWorking = false
/** Ends the process. A question that arrives meanwhile is asked again in the next process. */
let idle: NodeJS.Timeout | undefined

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  clearTimeout(idle)
  for (let orders = waiting.splice(0); orders.length > 0; orders = waiting.splice(0)) {
    const documents = orders.filter(({ kind }) => kind === "document")
    const asked = orders.filter(({ kind }) => kind === "calls")
    // A request may wait for the validators.
    const files = await callsFor(asked)
    for (const { id, file, old } of asked) if (files) reply(id, factsOf((old && built) || files, file))
    const [first] = documents
    const document = first && (await makeDocument(first.appDir))
    for (const { id } of documents) if (document) reply(id, document)
    const isNew = asked.some(({ old }) => !old)
    if (isNew && files && !("untyped" in files)) await writeValidatorsFile(root, files)
    await compare(orders.filter(({ kind }) => kind === "answer"))
  }
  isWorking = false
  idle = setTimeout(() => process.connected && process.disconnect(), Number(process.argv[2]))
  idle.unref()
}

/** Reads the types that questions need; null if they need none. */
async function callsFor(asked: readonly FactsOrder[]): Promise<readonly FileCalls[] | Untyped | null> {
  if (asked.length === 0) return null
  if (built && asked.every(({ old }) => old)) return built
  const files = await keptCalls(root, keptTypes(root) as KeptTypes)
  if (!("untyped" in files) && !asked.some(({ old }) => old)) built = files
  return files
}

function reply(id: number, answer: FactsReply["answer"]): void {
  if (process.connected) process.send?.({ id, answer } satisfies FactsReply)
}

/** Compares answers with their types. Problems of the types are reported elsewhere. */
async function compare(orders: readonly FactsOrder[]): Promise<void> {
  const [first] = orders
  const types = first && (await readAnswerTypes({ root, appDir: first.appDir }).catch(() => null))
  const known = types && !("untyped" in types) ? types : null
  for (const { id, answer } of orders)
    reply(id, (answer && (await known?.check(answer).catch(() => []))) ?? [])
}

async function makeDocument(appDir: string): Promise<FactsAnswers["document"]> {
  try {
    const { files, untyped, leftOut } = await embeddedAPI(root, appDir, await askedParts(root))
    // The program under fw dev reads the data, not the modules.
    for (const { file, text } of files.filter(({ file }) => file.endsWith(".json")))
      await writeIfChanged({ root, path: join(root, file) }, text)
    const reason = untyped ? [{ message: untyped.message, fix: untyped.fix }] : []
    const places = leftOut.map(({ at, ...problem }) => problemAt(root, at?.file ?? "", at, problem))
    return { problems: [...reason, ...places] }
  } catch (error) {
    // The same problem stops the build of the program, which reports it.
    if (error instanceof FwError) return { problems: [] }
    throw error
  }
}

/** Returns the facts of one file. */
function factsOf(files: readonly FileCalls[] | Untyped, file: string | undefined): CallFacts {
  if ("untyped" in files) return { untyped: files.untyped, fix: files.fix }
  const own = files.find((one) => sourceName(one) === file)
  const validators = own?.calls.flatMap(({ validator }) => validator ?? []) ?? []
  return {
    code: writeValidators(validators),
    sites: own ? sitesOf(own) : [],
    problems: problemsOf(files, false),
  }
}

process.on("message", (order: FactsOrder) => {
  waiting.push(order)
  void work()
})
process.once("disconnect", () => void release())
// Ctrl-C reaches every process of a terminal; the parent decides when to stop.
process.on("SIGINT", () => {})

/** Reads the types of the project in its working directory: makes its document and its tools, and the validators of its calls. */
import { join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { askedParts, embeddedAPI } from "../openapi/embed.ts"
import { KeptTypes } from "../openapi/kept-types.ts"
import { keepTypes, keptProgram } from "../project/kept-program.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { KeptCalls } from "../validators/kept.ts"
import { type CallProblem, problemsOf, writeValidatorsFile } from "../validators/prepare.ts"
import { type CallSite, sitesOf } from "../validators/sites.ts"
import { writeValidators } from "../validators/write.ts"

/** The validators of the calls of a program; or the reason why the types cannot be read. */
export type CallFacts =
  | {
      /** The module that exports them. */
      readonly code: string
      readonly sites: Readonly<Record<string, readonly CallSite[]>>
      /** Calls that are not checked, and one that accepts everything. */
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
}

/** A question. */
export interface FactsOrder {
  readonly id: number
  readonly kind: keyof FactsAnswers
  readonly appDir: string
}

/** The answer to a question. */
export interface FactsReply {
  readonly id: number
  readonly answer: FactsAnswers[keyof FactsAnswers]
}

const root = process.cwd()
const release = keepTypes()
const calls = new KeptCalls(root, keptProgram(KeptTypes, root) as KeptTypes)
/** Orders that arrived while others were carried out: one more answer is for all orders of a kind. */
const waiting: FactsOrder[] = []
let isWorking = false

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  for (let orders = waiting.splice(0); orders.length > 0; orders = waiting.splice(0)) {
    // A request may wait for the validators.
    for (const kind of ["calls", "document"] as const) {
      const same = orders.filter((order) => order.kind === kind)
      const last = same.at(-1)
      if (!last) continue
      const answer = await (kind === "calls" ? readCalls() : makeDocument(last.appDir))
      for (const { id } of same) if (process.connected) process.send?.({ id, answer } satisfies FactsReply)
    }
  }
  isWorking = false
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

async function readCalls(): Promise<CallFacts> {
  const files = await calls.read()
  if ("untyped" in files) return { untyped: files.untyped, fix: files.fix }
  await writeValidatorsFile(root, files)
  const validators = files.flatMap((file) => file.calls.flatMap(({ validator }) => validator ?? []))
  return { code: writeValidators(validators), sites: sitesOf(files), problems: problemsOf(files, false) }
}

process.on("message", (order: FactsOrder) => {
  waiting.push(order)
  void work()
})
process.once("disconnect", () => void release())
// Ctrl-C reaches every process of a terminal; the parent decides when to stop.
process.on("SIGINT", () => {})

/**
 * Answers the arguments of a program that only ask something and start no server: `--help`, `--version` and `--health`.
 */
import type { RequestOptions } from "node:http"
import type { FwError } from "../../lib/errors.ts"
import { parseListenOptions } from "../../lib/lifecycle/listen-options.ts"
import { escapeControls } from "../../lib/log/error-report.ts"
import { toReachableHost } from "../shared/address.ts"
import { variables } from "./variables.ts"

/** The facts about a program that its build writes into it. */
export interface Program {
  readonly name: string
  /** The version in the project's package.json. */
  readonly version?: string
  /** The names of the settings in the project's .env.example. */
  readonly settings: readonly string[]
  /** True if `db` is a command of the program. */
  readonly hasDatabase?: boolean
  /** True if `jobs` and `task` are commands of the program. */
  readonly hasJobs?: boolean
}

/** Milliseconds in which the program must answer `--health`. */
const healthTimeoutMs = 5000
/** Maximum number of characters of an answer that are printed. */
const maxShownCharacters = 1000

/** The output and the exit code. */
interface Answer {
  readonly text: string
  readonly code: number
}

/** Answers a question. Returns undefined for all other arguments, which belong to the program. */
export async function answerQuestion(
  [flag, path, ...rest]: readonly string[],
  program: Program,
): Promise<Answer | undefined> {
  if (rest.length > 0 || (path !== undefined && flag !== "--health")) return undefined
  if (flag === "--help") return { text: formatHelp(program), code: 0 }
  if (flag === "--version") return { text: formatVersion(program), code: 0 }
  if (flag === "--health") return askHealth(path ?? "/health/ready").catch((error) => createFailure(error.message))
  return undefined
}

const createFailure = (text: string): Answer => ({ text: escapeControls(text), code: 1 })

function formatVersion({ name, version }: Program): string {
  return version ? `${name} ${version}` : name
}

function formatHelp(program: Program): string {
  const rows = (descriptions: Readonly<Record<string, string>>) =>
    Object.entries(descriptions).map(([name, description]) => `  ${name.padEnd(18)}${description}`)
  return [
    formatVersion(program),
    "",
    `Without arguments ${program.name} serves until SIGTERM or SIGINT ends it.`,
    "",
    ...rows({
      "--health [path]": "ask the running program: exit code 0 if /health/ready, or another path, says yes",
      "--version": "print the version",
      "--help": "print this",
      ...(program.hasJobs && {
        "jobs <command>": "list, show, add, retry, pause, resume, clear or schedule jobs; --json",
        "task <name>": "run a job now, with its payload as JSON",
      }),
      ...(program.hasDatabase && {
        "db <command>": "status, migrate, rollback, seed, check or reset the database; --json, --force",
      }),
    }),
    "",
    "All other arguments belong to the program. It reads these variables:",
    "",
    ...rows(variables),
    ...program.settings.filter((name) => !(name in variables)).map((name) => `  ${name}`),
    "",
    `FW_SECRETS_FILE names a file with the value of FW_SECRETS${program.settings.length > 0 ? ", and so on for the settings of the project" : ""}.`,
  ].join("\n")
}

/** Asks the running program for its health, at the address that the environment variables give. */
async function askHealth(path: string): Promise<Answer> {
  const { env } = process
  const { port, path: socketPath } = parseListenOptions(undefined, env.PORT)
  if (!socketPath && port === 0) return createFailure("PORT is 0, a free port that only the running program knows")
  const isSecure = !!env.FW_TLS_CERT
  const { request } = isSecure ? await import("node:https") : await import("node:http")
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    ...(socketPath ? { socketPath } : { host: toReachableHost(env.HOST || "0.0.0.0"), port }),
    path,
    headers: { host: "localhost", connection: "close" },
    // The certificate is for the names that clients use, and not for the address that is used here.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(healthTimeoutMs),
  }
  return new Promise((resolve) => {
    request(options, (incoming) => {
      const { statusCode: status = 0 } = incoming
      let body = ""
      const end = () => {
        const isHealthy = status >= 200 && status < 300
        const advice = status === 404 ? ". app.health() makes this path; or name another one after --health" : ""
        resolve({
          text: escapeControls(`${status} ${body.slice(0, maxShownCharacters)}${advice}`.trim()),
          code: isHealthy ? 0 : 1,
        })
      }
      incoming.setEncoding("utf8").on("data", (text: string) => {
        if (body.length < maxShownCharacters) body += text
      })
      incoming.on("end", end).on("error", end)
    })
      .on("error", (error) => resolve(createFailure(`no answer: ${(error as FwError).message}`)))
      .end()
  })
}

/** Whether what the convention files export has the types that the app calls it by. Called by `fw validate`. */
import { FwError } from "../../lib/errors.ts"
import { moduleFile, type RouteTree } from "../../lib/tree.ts"
import { openTypes, type Untyped } from "./typescript.ts"

/** An export that the app will call, and the type of fw that it must have. */
interface Claim {
  readonly file: string
  readonly name: string
  readonly line: number
  readonly type: string
  readonly fix: string
}

const checkFile = ".fw/check-handlers.ts"

/**
 * Asks the project's TypeScript whether every handler, middleware and proxy has its type. Nothing is run or written.
 *
 * @returns the problems, `handler_type` each with its place; or why nothing could be asked.
 */
export async function checkHandlerTypes(
  root: string,
  tree: RouteTree,
): Promise<{ readonly problems: readonly FwError[] } | Untyped> {
  const claims = claimsOf(tree)
  const files = [...new Set(claims.map(({ file }) => file))]
  const virtual = new Map([[checkFile, checkText(claims, files)]])
  const types = await openTypes(root, { files, virtual })
  if ("untyped" in types) return types
  try {
    const problems = types.errors(checkFile).flatMap(({ line, message }) => {
      const claim = claims[line - claimLine(files)]
      if (!claim) return []
      const { file, name, fix } = claim
      const what = `${name} is not what fw calls it as: ${message}`
      return [new FwError("handler_type", what, fix, { at: { file, line: claim.line } })]
    })
    return { problems }
  } finally {
    types.close()
  }
}

/** Each export once: an optional catch-all has two routes of one handler. */
function claimsOf({ routes, middleware, proxy }: RouteTree): Claim[] {
  const claims = new Map<string, Claim>()
  for (const { file, export: name, line, pattern, rest } of routes) {
    const names = [...pattern.matchAll(/\{([^}]+)\}/g)].map(([, param]) => param as string)
    const known = [...names, ...(rest === undefined ? [] : [rest])]
    const params = known.map((param) => JSON.stringify(param)).join(" | ")
    const fix = `Write: export function ${name}(c: Context${params && `<${params}>`}) { … }, which returns an answer such as c.json(200, data).`
    const type = params === "" ? 'HandlerFunc<"">' : `HandlerFunc<${params}>`
    claims.set(`${file}#${name}`, { file, name, line, type, fix })
  }
  for (const { file } of middleware) {
    const fix = "Write: export function Middleware(): MiddlewareFunc { return (next) => (c) => next(c) }"
    const type = "() => MiddlewareFunc | readonly MiddlewareFunc[]"
    claims.set(file, { file, name: "Middleware", line: 1, type, fix })
  }
  if (proxy) {
    const fix = "Write: export function Proxy(c: Context): ProxyResult { return proxy.continue() }"
    claims.set(proxy.file, { file: proxy.file, name: "Proxy", line: 1, type: "ProxyFunc", fix })
  }
  return [...claims.values()]
}

/** One claim a line, so that an error's line tells which. */
function checkText(claims: readonly Claim[], files: readonly string[]): string {
  const imports = files.map(
    (file, i) => `import * as m${i} from ${JSON.stringify(`../${moduleFile(file)}`)}\n`,
  )
  const lines = claims.map(
    ({ file, name, type }) => `export const _: ${type} = m${files.indexOf(file)}.${name}\n`,
  )
  const types = 'import type { HandlerFunc, MiddlewareFunc, ProxyFunc } from "fw"\n'
  return types + imports.join("") + lines.map((line, i) => line.replace("_", `c${i}`)).join("")
}

/** The line of the first claim: the types and an import for each file come before. */
function claimLine(files: readonly string[]): number {
  return files.length + 2
}

/** `app.openapi()`: serves the OpenAPI document that fw has generated for the application. */
import { platform } from "#platform"
import { checkKeys } from "../checks.ts"
import { fault } from "../errors/fault.ts"
import { HttpError } from "../errors.ts"
import { isTextList } from "../text.ts"
import type { HandlerFunc } from "../types.ts"

/**
 * Options of `app.openapi()`. Options that are left out keep the generated values.
 *
 * @example
 * const options: OpenAPIOptions = { title: "Shop", server: "https://shop.example" }
 * app.openapi(options)
 */
export interface OpenAPIOptions {
  /** Path of the document. Default: `/openapi.json`. */
  readonly path?: string
  /** Title of the API. Default: the project's name. */
  readonly title?: string
  /** Version of the API. Default: `1.0.0`. */
  readonly version?: string
  /** Description of the API. */
  readonly description?: string
  /** URL of the server. Default: none; then clients use the server that has sent the document. */
  readonly server?: string
  /**
   * Patterns of the paths in the document, as in a proxy's matchers: `["/api/*"]`. All other paths are left out.
   * Default: all paths, except routes that answer only with HTML and redirects and have no `@operationId` in their
   * comment. fw reads this option from the source, so `main.ts` must pass a literal.
   */
  readonly include?: readonly string[]
  /** Patterns of the paths that are left out of the document. Default: none. */
  readonly exclude?: readonly string[]
}

const textOptions = ["path", "title", "version", "description", "server"]
const listOptions = ["include", "exclude"] as const

/** The file in the project's directory to which `fw dev` and `fw build` write the document. */
const documentFile = { directory: ".fw", name: "openapi.json" } as const

/**
 * Returns the path and the handler of the document.
 *
 * @param getEmbeddedDocument returns the document that came with the routes. If there is none, each request reads the
 * document from disk, and the answer is a 503 if there is no file. `fw dev` lets requests wait until it has made the
 * first document.
 * @throws FwError `openapi_options` for an unknown option.
 */
export function createDocumentRoute(
  optionsOrPath: OpenAPIOptions | string = {},
  getEmbeddedDocument: () => string | undefined,
): { path: string; handler: HandlerFunc } {
  const options = typeof optionsOrPath === "string" ? { path: optionsOrPath } : optionsOrPath
  const kinds = Object.fromEntries(textOptions.map((name) => [name, "string"] as const))
  checkKeys(options, [...textOptions, ...listOptions], "openapi_options", "app.openapi()", kinds)
  for (const name of listOptions) {
    const value: unknown = options[name]
    if (value !== undefined && !isTextList(value))
      throw fault("app_options.type", ["app.openapi()", name, "list of texts", value], {
        code: "openapi_options",
      })
  }
  const { path = "/openapi.json" } = options
  let cachedText: string | undefined
  const readText = async (): Promise<string> => {
    const embeddedText = getEmbeddedDocument()
    if (embeddedText === undefined) return applyOptions(await readFromDisk(), options)
    cachedText ??= applyOptions(embeddedText, options)
    return cachedText
  }
  return { path, handler: async (c) => c.blob(200, "application/json", await readText()) }
}

async function readFromDisk(): Promise<string> {
  const request = { method: "GET", path: `/${documentFile.name}`, search: "", header: () => "" }
  const answer = await platform.files?.(documentFile.directory)?.([documentFile.name], request)
  if (answer?.status === 200) return new Response(answer.body).text()
  const message = "the document of this API is not there: fw dev and fw build write it"
  throw new HttpError(503, message, { headers: { "retry-after": "1" } })
}

/** Applies the options of the program, which take precedence over the values that fw has read from package.json. */
function applyOptions(text: string, { title, version, description, server }: OpenAPIOptions): string {
  const newInfo = { ...(title && { title }), ...(version && { version }), ...(description && { description }) }
  if (Object.keys(newInfo).length === 0 && !server) return text
  const document = JSON.parse(text) as { info: object }
  const servers = server ? { servers: [{ url: server }] } : {}
  return JSON.stringify({ ...document, info: { ...document.info, ...newInfo }, ...servers })
}

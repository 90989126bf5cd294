/**
 * The capabilities that the server announces to the editor, and those of the editor that it announces to
 * TypeScript's server.
 */

import { pathToFileURL } from "node:url"

type Fields = Readonly<Record<string, unknown>>

/**
 * The server accepts changes of ranges and of whole texts. It need not be told when a file is saved (LSP 3.17,
 * TextDocumentSyncOptions).
 */
const textDocumentSync = { openClose: true, change: 2 } as const

/**
 * Returns the parameters with which TypeScript's server is started: those of the editor, changed so that no code of
 * the project runs.
 */
export function toTypeScriptParams(params: unknown, root: string): object {
  const fields = toFields(params)
  const capabilities = toFields(fields.capabilities)
  const { completion, ...others } = toFields(capabilities.textDocument)
  // Without defaults of a list, completions of TypeScript and of features can be joined.
  const { completionList: _, ...completionWithoutDefaults } = toFields(completion)
  const textDocument = { ...others, completion: completionWithoutDefaults, diagnostic: {} }
  const general = { ...toFields(capabilities.general), positionEncodings: ["utf-16"] }
  return {
    ...fields,
    processId: process.pid,
    rootUri: fields.rootUri ?? pathToFileURL(root).href,
    capabilities: { ...capabilities, textDocument, general },
    initializationOptions: { ...toFields(fields.initializationOptions), runExternalCode: false },
  }
}

/**
 * Returns the answer to `initialize`: the capabilities of TypeScript's server together with those of the features.
 */
export function toInitializeResult(typeScriptResult: unknown, features: Fields): object {
  const capabilities = mergeCapability(toFields(toFields(typeScriptResult).capabilities), features) as Fields
  return {
    capabilities: {
      diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
      ...capabilities,
      positionEncoding: "utf-16",
      textDocumentSync,
    },
    serverInfo: { name: "fw" },
  }
}

/** Merges two values of a capability: lists, such as trigger characters, and objects with options. */
function mergeCapability(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...new Set([...first, ...second])]
  if (!isFields(first) || !isFields(second)) return second ?? first
  const names = [...Object.keys(first), ...Object.keys(second)]
  return Object.fromEntries(names.map((name) => [name, mergeCapability(first[name], second[name])]))
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function toFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

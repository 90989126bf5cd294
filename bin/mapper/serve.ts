/** The content mapper for `.tpl` files: a server that TypeScript 7.1 calls over JSON-RPC. */

import type { Readable, Writable } from "node:stream"
import { Connection, errorCodes, ResponseError } from "../rpc/connection.ts"
import { transform } from "./transform.ts"

/** The parameters of `transform` that are used. */
interface TransformParams {
  readonly fileName?: unknown
  readonly content?: unknown
}

/**
 * Answers requests until the other program closes the stream. Each answer depends only on the content of a file.
 */
export async function serveMapper(input: Readable, output: Writable): Promise<void> {
  const connection = new Connection(input, output, {
    request: (method, params) => answerRequest(method, params),
    handleNotification: () => {},
  })
  await connection.ended
}

function answerRequest(method: string, params: unknown): object {
  switch (method) {
    case "initialize":
      return { positionEncoding: "utf-16", diagnosticSource: "fw" }
    // These messages need no action, because projects have no options.
    case "openProject":
    case "closeProject":
      return {}
    case "transform":
      return transformFile((params ?? {}) as TransformParams)
    default:
      throw new ResponseError(errorCodes.unknownMethod, `the content mapper of .tpl has no method "${method}"`)
  }
}

function transformFile({ fileName, content }: TransformParams): object {
  if (typeof fileName !== "string" || typeof content !== "string")
    throw new ResponseError(errorCodes.invalidParams, "transform needs fileName and content, as text")
  return transform(content, fileName)
}

/** The content mapper of `.tpl` files: a server for TypeScript 7.1, over JSON-RPC on a pair of streams. */

import type { Readable, Writable } from "node:stream"
import { Connection, errorCodes, ResponseError } from "../rpc/connection.ts"
import { transform } from "./transform.ts"

/** Parameters of `transform` that are read. */
interface TransformParams {
  readonly fileName?: unknown
  readonly content?: unknown
}

/** Answers until the other end closes. The answers depend on nothing but the content of a file. */
export async function serveMapper(input: Readable, output: Writable): Promise<void> {
  const connection = new Connection(input, output, {
    request: (method, params) => answerRequest(method, params),
    notification: () => {},
  })
  await connection.ended
}

function answerRequest(method: string, params: unknown): object {
  switch (method) {
    case "initialize":
      return { positionEncoding: "utf-16", diagnosticSource: "fw" }
    // Projects have no options of their own, so there is nothing to keep.
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

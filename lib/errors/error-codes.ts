/** The codes of all errors that fw throws in an app. */

import type { databaseMessages } from "../messages/database.ts"
import type { filesMessages } from "../messages/files.ts"
import type { hostMessages } from "../messages/hosts.ts"
import type { jobMessages } from "../messages/jobs.ts"
import type { leftOutMessages } from "../messages/left-out.ts"
import type { mailMessages } from "../messages/mail.ts"
import type { mcpMessages } from "../messages/mcp.ts"
import type { otelMessages } from "../messages/otel.ts"
import type { scanMessages } from "../messages/scan.ts"
import type { sessionMessages } from "../messages/session.ts"
import type { startMessages } from "../messages/start.ts"
import type { storeMessages } from "../messages/store.ts"
import type { coreMessages, middlewareMessages } from "../parts/messages.ts"

/** The code of a message: its name up to the first dot. `pattern.slash` has the code `pattern`. */
type CodeOf<Name> = Name extends `${infer Code}.${string}` ? Code : Name

type MessageName =
  | keyof (typeof coreMessages & typeof middlewareMessages & typeof leftOutMessages)
  | keyof (typeof mcpMessages &
      typeof scanMessages &
      typeof sessionMessages &
      typeof startMessages &
      typeof hostMessages &
      typeof storeMessages &
      typeof databaseMessages &
      typeof jobMessages &
      typeof mailMessages &
      typeof filesMessages &
      typeof otelMessages)

/** Codes without messages of their own. */
type OtherCode = "csrf" | "etag" | "openapi_options" | "otel" | "recover" | "request_id" | "serve" | "server_timing"

/**
 * The code of every error that fw throws in an app. The codes are stable: programs may test for them, and `fw help <code>`
 * explains each.
 *
 * @example
 * const busy: FwErrorCode = "port_in_use"
 * await app.listen().catch((error) => {
 *   if (error.code === busy) process.exitCode = 75
 *   throw error
 * })
 */
export type FwErrorCode = CodeOf<MessageName> | OtherCode

/**
 * All contract cases, in one list for requests and one for sockets. The programs on other runtimes and their driver
 * name a case by its index.
 */
import { addressCases } from "./addresses.ts"
import { afterAnswerCases } from "./after-answer.ts"
import { answersRefused } from "./answers-refused.ts"
import { appCases } from "./app.ts"
import { authCases } from "./auth.ts"
import { bodyCases } from "./body.ts"
import { bodyCodingCases } from "./body-coding.ts"
import { bodyLimitCases } from "./body-limits.ts"
import type { Case } from "./case.ts"
import { compressCases } from "./compress.ts"
import { contextAnswers } from "./context-answers.ts"
import { contextRequest } from "./context-request.ts"
import { contextStore } from "./context-store.ts"
import { cookieCases } from "./cookies.ts"
import { csrfCases } from "./csrf.ts"
import { errorHeaderCases } from "./error-headers.ts"
import { errorCases } from "./errors.ts"
import { etagCases } from "./etag.ts"
import { failureCases } from "./failures.ts"
import { fileCases } from "./files.ts"
import { gatewayCases } from "./gateway.ts"
import { guardCases } from "./guards.ts"
import { headCases } from "./head.ts"
import { leavingCases } from "./leaving.ts"
import { methodCases } from "./methods.ts"
import { middlewareCases } from "./middleware.ts"
import { mountedCases } from "./mounted.ts"
import { multipartCases } from "./multipart.ts"
import { outcomeCases } from "./outcomes.ts"
import { partCases } from "./parts.ts"
import { proxyCases } from "./proxy.ts"
import { rateLimitCases } from "./rate-limit.ts"
import { secureHeadersCases } from "./secure-headers.ts"
import { signedCookieCases } from "./signed-cookies.ts"
import type { SocketCase } from "./socket-case.ts"
import { socketEnds } from "./socket-ends.ts"
import { socketRefusals } from "./socket-refusals.ts"
import { socketRequestCases } from "./socket-requests.ts"
import { socketTalks } from "./socket-talks.ts"
import { streamingCases } from "./streaming.ts"
import { targetCases } from "./targets.ts"
import { unsentCases } from "./unsent.ts"
import { uploadCases } from "./uploads.ts"
import { varyCases } from "./vary.ts"

/**
 * Cases about what a server, a stream or a built-in object does: the line, headers and body of requests and
 * answers, files, and clients that disconnect. Adapters and versions of runtimes may differ in them.
 */
export const servedCases: readonly Case[] = [
  ...socketRequestCases,
  ...compressCases,
  ...bodyCases,
  ...bodyCodingCases,
  ...bodyLimitCases,
  ...contextAnswers,
  ...contextRequest,
  ...uploadCases,
  ...targetCases,
  ...streamingCases,
  ...headCases,
  ...leavingCases,
  ...methodCases,
  ...fileCases,
  ...unsentCases,
  ...afterAnswerCases,
]

/**
 * All cases of requests without an upgrade. Those that are not in `servedCases` depend only on the core, so they
 * run on one program of each engine: Node, Bun, Deno and workerd.
 */
export const allCases: readonly Case[] = [
  ...servedCases,
  ...addressCases,
  ...appCases,
  ...secureHeadersCases,
  ...rateLimitCases,
  ...etagCases,
  ...csrfCases,
  ...authCases,
  ...answersRefused,
  ...contextStore,
  ...cookieCases,
  ...signedCookieCases,
  ...errorCases,
  ...errorHeaderCases,
  ...outcomeCases,
  ...varyCases,
  ...failureCases,
  ...gatewayCases,
  ...guardCases,
  ...middlewareCases,
  ...proxyCases,
  ...partCases,
  ...multipartCases,
  ...mountedCases,
]

/** All cases of requests that ask for an upgrade. */
export const socketCases: readonly SocketCase[] = [...socketTalks, ...socketEnds, ...socketRefusals]

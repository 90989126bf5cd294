/**
 * The public API of `fw`: everything that an application imports, as named exports grouped by subject.
 *
 * The import sorter is off for this file (biome.json), and a test checks the headings.
 */

// The application
export { App } from "./app.ts"
export type { AppFetch, Around } from "./request/around.ts"
export type { AppOptions, Config } from "./config.ts"
export type { OpenAPIOptions } from "./mount/openapi-route.ts"
export type { HealthOptions } from "./mount/health-routes.ts"
export type { HealthCheck } from "./mount/health-check.ts"
export type { RouteGroup } from "./group.ts"
export type { ListenOptions, ListenTarget, Server, ShutdownOptions, TLSOptions } from "./platform.ts"
export type { StaticOptions } from "./static/serve-static.ts"

// Handlers and the request context
export type { FileOptions } from "./answer/file.ts"
export type { Context } from "./context.ts"
export { contextKey } from "./context-key.ts"
export type { ContextKey, Variables } from "./context-key.ts"
export type { Cookie } from "./request/cookies.ts"
export type { ParamNames } from "./pattern.ts"
export type { StandardSchema } from "./request/schema.ts"
export type { PageOptions } from "./mount/pages.ts"
export type {
  Bindings,
  HandlerContext,
  HandlerFunc,
  HandlerResult,
  MiddlewareFunc,
  Next,
  PrerenderParams,
  RequestHandler,
  Router,
  Serialized,
  TypedResponse,
} from "./types.ts"

// Forms and uploads
export type { FileProblem } from "./request/file-problems.ts"
export { newForm } from "./request/new-form.ts"
export type { ShownForm } from "./request/new-form.ts"
export type { Form, FormOptions } from "./request/forms.ts"
export type { Part, PartsOptions } from "./request/form-parts.ts"

// Server-sent events and WebSockets
export type { EventStream, EventStreamOptions, ServerSentEvent } from "./answer/sse.ts"
export type { ServerSocket, SocketFunc, SocketHandler } from "./answer/upgrade.ts"

// Errors
export {
  badRequest,
  forbidden,
  FwError,
  HttpError,
  internalServerError,
  notFound,
  unauthorized,
} from "./errors.ts"
export type { FwErrorOptions, HttpErrorOptions, Issue, Location } from "./errors.ts"
export type { FwErrorCode } from "./errors/error-codes.ts"

// The proxy
export { proxy } from "./proxy.ts"
export type { ProxyConfig, ProxyFunc, ProxyResult } from "./proxy.ts"

// Logging
export { log, pinoLog } from "./log/log.ts"
export type { Log, LogFields, LogRecord, LogSink } from "./log/record.ts"
export { LogLevelDebug, LogLevelError, LogLevelInfo, LogLevelOff, LogLevelWarn } from "./log/log-level.ts"
export type { LogLevel } from "./log/log-level.ts"
export { logger } from "./middleware/logger.ts"
export type { RequestLoggerConfig } from "./log/logger.ts"
export type { OperationKind } from "./trace/operations.ts"
export type { Operation, RequestOperation } from "./trace/requests.ts"

// Middleware: access
export { basicAuth } from "./middleware/basic-auth.ts"
export type { BasicAuthOptions } from "./middleware/basic-auth.ts"
export { bearerAuth } from "./middleware/bearer-auth.ts"
export type { BearerAuthOptions } from "./middleware/bearer-auth.ts"
export { csrf } from "./middleware/csrf.ts"
export type { CSRFOptions } from "./middleware/csrf.ts"
export { ipRestriction } from "./middleware/ip-restriction.ts"
export type { IPRestrictionOptions } from "./middleware/ip-restriction.ts"
export { jwt } from "./jwt/jwt.ts"
export type { JWTOptions } from "./jwt/jwt.ts"
export type { JWTClaims } from "./jwt/claims.ts"
export type { JWK, JWKSet, JWTAlgorithm } from "./jwt/keys.ts"
export { rateLimit } from "./middleware/rate-limit.ts"
export type { RateLimitCount, RateLimitOptions, RateLimitStore } from "./middleware/rate-limit.ts"

// For middleware of your own
export { peekResponse, replaceResponse } from "./answer/response.ts"
export type { ResponseChanges, ResponsePeek } from "./answer/response.ts"

// Middleware: requests and responses
export { bodyLimit } from "./middleware/body-limit.ts"
export type { BodyLimitOptions } from "./middleware/body-limit.ts"
export { combine } from "./middleware/combine.ts"
export type { Condition } from "./middleware/combine.ts"
export { compress } from "./middleware/compress.ts"
export type { CompressOptions } from "./middleware/compress.ts"
export { cors } from "./middleware/cors.ts"
export type { CORSOptions } from "./middleware/cors.ts"
export { etag } from "./middleware/etag.ts"
export type { ETagOptions } from "./middleware/etag.ts"
export type { Origins } from "./request/origin.ts"
export { recover } from "./middleware/recover.ts"
export type { RecoverOptions } from "./middleware/recover.ts"
export { requestID } from "./middleware/request-id.ts"
export type { RequestIDOptions } from "./middleware/request-id.ts"
export { secureHeaders } from "./middleware/secure-headers.ts"
export type { SecureHeadersOptions } from "./middleware/secure-headers.ts"
export { serverTiming } from "./middleware/server-timing.ts"
export type { ServerTimingOptions } from "./middleware/server-timing.ts"
export { timeout } from "./middleware/timeout.ts"
export type { TimeoutOptions } from "./middleware/timeout.ts"

// The scanned application
export type { Routes, RouteTree, TreeJob, TreeLayout, TreeMiddleware, TreePage, TreeProxy, TreeRoute } from "./tree.ts"

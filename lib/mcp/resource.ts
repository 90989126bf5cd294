/** The metadata with which clients find the authorization server of a protected resource (RFC 9728). */
import type { Context } from "../context.ts"
import type { ResolvedMCPOptions } from "./options.ts"

/** Returns the path of the metadata for a path (RFC 9728 §3.1). */
export function getMetadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path === "/" ? "" : path}`
}

/** Returns the metadata of the MCP endpoint (RFC 9728 §2). */
export function buildMetadata(c: Context, { path, authorization, name }: ResolvedMCPOptions) {
  const { servers = [], scopes } = authorization ?? {}
  return {
    resource: new URL(path, c.origin).href,
    authorization_servers: servers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    ...(name !== undefined && { resource_name: name }),
  }
}

/**
 * Returns the `WWW-Authenticate` with which the endpoint passes a route's refusal on: a 401, or a 403 because of
 * missing scopes (RFC 6750 §3.1). Returns undefined for every other answer, and if the program has not set
 * `authorization`.
 */
export function buildChallenge(
  { status, headers }: Response,
  { path, authorization }: ResolvedMCPOptions,
  c: Context,
): string | undefined {
  if (!authorization) return undefined
  const header = headers.get("www-authenticate") ?? ""
  const needsScope = status === 403 && header.includes("insufficient_scope")
  if (status !== 401 && !needsScope) return undefined
  const [, parameters = ""] = /^Bearer +(\S.*)$/i.exec(header) ?? []
  const metadata = `resource_metadata="${new URL(getMetadataPath(path), c.origin).href}"`
  const challenge = parameters.includes("resource_metadata=")
    ? parameters
    : [parameters, metadata].filter(Boolean).join(", ")
  return `Bearer ${challenge}`
}

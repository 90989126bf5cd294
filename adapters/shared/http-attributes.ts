/** Creates attributes of requests for telemetry (semantic conventions of OpenTelemetry, HTTP, stable since 1.23). */
import { isSecretName } from "../../lib/log/record.ts"

const knownMethods = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"])

/**
 * Returns a known method unchanged, and `_OTHER` for any other. Clients can invent methods, and each would be a new
 * value.
 */
export function toKnownMethod(method: string): string {
  return knownMethods.has(method) ? method : "_OTHER"
}

/** Returns the attributes for a method. If it is not a known one, they include the text that was sent. */
export function toMethodAttributes(method: string): Record<string, string> {
  const knownMethod = toKnownMethod(method)
  return {
    "http.request.method": knownMethod,
    ...(knownMethod !== method && { "http.request.method_original": method }),
  }
}

/** Returns the attributes for the host and the port of a URL. */
export function toServerAttributes({ protocol, hostname, port }: URL): Record<string, string | number> {
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) }
}

/** Returns a query without its `?`, with the values of secrets replaced. */
export function redactQuery(search: string): string {
  return search
    .replace(/^\?/, "")
    .split("&")
    .map((pair) => {
      const [name = ""] = pair.split("=", 1)
      const isSecret = isSecretName(name) || /^(?:sig|signature|x-amz-signature|x-goog-signature)$/i.test(name)
      return isSecret && name !== pair ? `${name}=REDACTED` : pair
    })
    .join("&")
}

/** Returns the name of an error's class. */
export function readErrorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

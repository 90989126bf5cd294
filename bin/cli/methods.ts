/** The methods of requests that arguments of the command name. */
import { METHODS } from "node:http"

/**
 * Methods of HTTP and its extensions (IANA's registry), in upper case, which matters (RFC 9110 §9.1).
 * `SOCKET` stands for a WebSocket upgrade.
 */
export const methods: readonly string[] = [...METHODS, "SOCKET"]

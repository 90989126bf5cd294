/** The request methods that command arguments accept. */
import { METHODS } from "node:http"

/**
 * The methods of HTTP and its extensions (IANA registry), in upper case, because methods are case-sensitive (RFC
 * 9110 §9.1). `SOCKET` stands for a WebSocket upgrade.
 */
export const methods: readonly string[] = [...METHODS, "SOCKET"]

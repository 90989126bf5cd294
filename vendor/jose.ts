/** Verifies JSON Web Tokens. Bundled into dist/vendor/; `jwt()` imports it with the first token. */
export { jwtVerify } from "jose"

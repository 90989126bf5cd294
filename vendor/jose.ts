/** JSON Web Tokens. Bundled into dist/vendor/; imported by `jwt()` with the first token. */
export { jwtVerify } from "jose"

/** The environment of the tests with short tokens. */
import "./env.ts"

process.env.AUTH_TOKEN_SECONDS = "900"

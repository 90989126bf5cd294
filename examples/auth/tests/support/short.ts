/** The environment of the tests with short-lived tokens. */
import "./env.ts"

process.env.AUTH_TOKEN_SECONDS = "900"

/** The environment of the tests with a limit that is soon reached. */
import "./env.ts"

process.env.AUTH_LOGIN_LIMIT = "3"

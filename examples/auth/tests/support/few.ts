/** The environment of the tests with a low rate limit. */
import "./env.ts"

process.env.AUTH_LOGIN_LIMIT = "3"

/**
 * Configures Google as an identity provider from the environment. Any other OpenID provider works too, with its own
 * issuer.
 */
import { type Context, FwError, notFound } from "fw"
import { readSetting } from "./env.ts"
import { signInWays } from "./menu.ts"
import { getOrigin, isSafe } from "./origin.ts"

/** The registration of this application with a provider. */
export interface Provider {
  readonly name: string
  /** The issuer's URL. A slash at its end makes no difference. */
  readonly issuer: string
  readonly clientID: string
  readonly clientSecret: string
  /**
   * The URL that the provider redirects back to. It must be registered with the provider in exactly this
   * form.
   */
  readonly redirectURL: string
}

const clientID = readSetting("GOOGLE_CLIENT_ID")
const clientSecret = readSetting("GOOGLE_CLIENT_SECRET")
const issuer = readSetting("GOOGLE_ISSUER") || "https://accounts.google.com"

if ((clientID === "") !== (clientSecret === ""))
  throw new FwError(
    "google",
    "only one of GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET is set",
    "Set both, or neither.",
  )
if (!isSafe(issuer))
  throw new FwError(
    "google",
    `GOOGLE_ISSUER is ${issuer}`,
    "Write an address with https://. Only localhost may go without.",
  )
if (clientID !== "") signInWays.push({ label: (texts) => texts.google, path: "/api/auth/google" })

/** Returns the registration with Google. @throws HttpError 404 if there is none. */
export function getGoogle(c: Context): Provider {
  if (clientID === "") throw notFound("signing in with Google is not set up")
  const redirectURL = `${getOrigin(c)}/api/auth/google/callback`
  return { name: "google", issuer, clientID, clientSecret, redirectURL }
}

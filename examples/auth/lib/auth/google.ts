/**
 * Configures Google as an identity provider from the environment. Any other OpenID provider works too, with its own
 * issuer.
 */
import { FwError } from "fw"
import { isProduction, readSetting } from "./env.ts"
import { signInWays } from "./menu.ts"
import { isSafe } from "./origin.ts"

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

/** Null if none of the variables is set; the login page then does not offer Google. */
export const google = readProvider()

if (google) signInWays.push({ label: (texts) => texts.google, path: "/api/auth/google" })

/**
 * Reads the configuration. @throws FwError if only some of the variables are set, and for URLs that are not
 * safe.
 */
function readProvider(): Provider | null {
  const clientID = readSetting("GOOGLE_CLIENT_ID")
  const clientSecret = readSetting("GOOGLE_CLIENT_SECRET")
  const redirectURL =
    readSetting("GOOGLE_REDIRECT_URL") ||
    (isProduction() ? "" : "http://localhost:3000/api/auth/google/callback")
  const issuer = readSetting("GOOGLE_ISSUER") || "https://accounts.google.com"
  if (clientID === "" && clientSecret === "") return null
  const required = Object.entries({
    GOOGLE_CLIENT_ID: clientID,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_REDIRECT_URL: redirectURL,
  })
  for (const [name, value] of required) {
    if (value === "")
      throw new FwError("google", `${name} is not set`, "Set all of GOOGLE_…, or none of them.")
  }
  for (const [name, value] of Object.entries({ GOOGLE_ISSUER: issuer, GOOGLE_REDIRECT_URL: redirectURL })) {
    if (isSafe(value)) continue
    throw new FwError(
      "google",
      `${name} is ${value}`,
      "Write an address with https://. Only localhost may go without.",
    )
  }
  return { name: "google", issuer, clientID, clientSecret, redirectURL }
}

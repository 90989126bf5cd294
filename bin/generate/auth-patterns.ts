/** Lists the files of the reference application, examples/auth, for each way to sign in. */

import type { Variable } from "./write-source.ts"

/** The patterns, in the order of their flags. */
export const patternNames = [
  "jwt",
  "session",
  "api-key",
  "oauth",
  "passkey",
  "two-factor",
  "invitation",
  "proxy",
  "roles",
] as const

export type PatternName = (typeof patternNames)[number]

/** The files of a pattern. The files that they import are added later. */
export interface Pattern {
  /** The patterns that it requires. */
  readonly needs: readonly PatternName[]
  /** Files and directories of the reference application. A project that has the first one has the pattern. */
  readonly files: readonly string[]
  /** More files that are needed together with another pattern. */
  readonly beside?: Readonly<Partial<Record<PatternName, readonly string[]>>>
  /** Environment variables that the files read and that should be set. */
  readonly environment: readonly Variable[]
}

const secretVariables = [{ name: "AUTH_JWT_SECRET", about: "32 bytes or more, such as of openssl rand -base64 48" }]
const googleVariables = [
  {
    name: "GOOGLE_CLIENT_ID",
    about: "from Google's console; enter https://<your host>/api/auth/google/callback there",
  },
  { name: "GOOGLE_CLIENT_SECRET", about: "from there too" },
]
const originVariable = {
  name: "AUTH_ORIGIN",
  about: "the public address of the application, such as https://shop.example",
}
const mailVariables = [
  {
    name: "AUTH_MAIL_URL",
    about: "the mail server for links: smtps://user:password@smtp.example",
  },
  { name: "AUTH_MAIL_FROM", about: "the sender of mails: Shop <hello@shop.example>" },
]
const administratorVariables = [
  { name: "AUTH_ADMIN_EMAIL", about: "with the password, makes the first administrator at start" },
  { name: "AUTH_ADMIN_PASSWORD", about: "8 characters or more" },
]

/** The mailer of the application. One that a project has already is kept. */
export const mailerFile = "app/mail/job.ts"

export const patterns: Readonly<Record<PatternName, Pattern>> = {
  jwt: {
    needs: [],
    files: [
      "app/api/auth/(password)/route.ts",
      "app/api/auth/(password)/middleware.ts",
      "app/api/auth/(password)/signup",
      "app/api/auth/refresh",
      "app/api/auth/revoke",
      "app/api/protected/middleware.ts",
      "app/api/protected/profile",
    ],
    beside: { roles: ["app/api/protected/admin"] },
    environment: secretVariables,
  },
  session: {
    needs: [],
    files: [
      "app/login/route.ts",
      "app/login/page.tpl",
      "app/login/middleware.ts",
      "app/signup",
      "app/logout",
      "app/forgot",
      "app/reset",
      "app/(account)/middleware.ts",
      "app/(account)/dashboard",
      "app/(account)/sessions",
      "app/(account)/verify",
      mailerFile,
    ],
    beside: { "api-key": ["app/(account)/keys"] },
    environment: [...mailVariables, originVariable],
  },
  "api-key": {
    needs: [],
    files: ["app/api/service"],
    environment: [{ name: "AUTH_API_KEYS", about: "keys in addition to those of the database: name=key,name=key" }],
  },
  oauth: { needs: ["session"], files: ["app/api/auth/google"], environment: googleVariables },
  passkey: {
    needs: ["session"],
    files: ["app/api/auth/passkey", "app/(account)/passkeys", "static/auth/passkeys.js"],
    environment: [originVariable],
  },
  "two-factor": {
    needs: ["session"],
    files: ["app/(account)/second-factor", "app/login/code"],
    environment: [],
  },
  invitation: {
    needs: ["session"],
    files: ["app/(account)/invitations", "app/invitation"],
    environment: [{ name: "AUTH_SIGN_UP", about: "invited: only those who are invited can sign up" }],
  },
  proxy: {
    needs: ["jwt", "session"],
    files: ["app/proxy.ts", "app/api/middleware.ts", "app/api/me"],
    environment: [],
  },
  roles: {
    needs: [],
    files: ["lib/auth/roles.ts"],
    environment: administratorVariables,
  },
}

/** Returns the requested patterns and those that they need, in the order of the flags. */
export function addNeeds(requestedNames: readonly PatternName[]): PatternName[] {
  const neededNames = new Set(requestedNames.flatMap((name) => [name, ...patterns[name].needs]))
  return patternNames.filter((name) => neededNames.has(name))
}

/**
 * Returns the files and directories of some patterns.
 *
 * @param existingNames the patterns that a project has already. Files that combine one of them with a new pattern
 * are included.
 */
export function listEntries(names: readonly PatternName[], existingNames: readonly PatternName[] = []): string[] {
  const presentNames = patternNames.filter((name) => names.includes(name) || existingNames.includes(name))
  return presentNames.flatMap((name) => {
    const { files, beside = {} } = patterns[name]
    const isNew = names.includes(name)
    const others = presentNames.filter((other) => isNew || names.includes(other))
    return [...(isNew ? files : []), ...others.flatMap((other) => beside[other] ?? [])]
  })
}

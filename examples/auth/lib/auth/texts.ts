/**
 * All texts of the accounts. To add a language, add an object of the type `Texts` to `languages`, and let
 * `languageOf()` choose it.
 */
import type { Context } from "fw"
import { passwordLength } from "./passwords.ts"

const english = {
  account: "Account",
  email: "Email",
  password: "Password",
  passwordHint: `At least ${passwordLength.min} characters. Several random words make a good one.`,
  remove: "Remove",

  signIn: "Sign in",
  signOut: "Sign out",
  signUp: "Sign up",
  notSignedIn: "Not signed in",
  notSignedUp: "Not signed up",
  signedOut: "You are signed out.",
  noAccountYet: "No account yet?",
  hasAccount: "You have one?",
  wrongCredentials: "The email address or the password is not right.",
  takenEmail: "There is an account with this email address already.",
  wrongEmail: "This is not an email address. One looks like ada@example.com.",
  wrongPassword: `A password has ${passwordLength.min} to ${passwordLength.max} characters.`,
  onlyInvited: "You need an invitation to sign up. Its link is in a mail.",
  google: "Continue with Google",

  dashboard: "Dashboard",
  signedInAs: "Signed in as",
  role: "Role",
  userID: "User ID",

  sessions: "Sessions",
  sessionsAbout: "Where you are signed in. End what you do not know.",
  thisSession: "(this one)",
  signedInFrom: (address: string) => `From ${address || "an unknown address"}, since`,
  end: "End",
  endSession: (device: string, since: string) => `End the session of ${device} since ${since}`,
  endOthers: "End all others",
  sessionEnded: "The session has ended.",
  othersEnded: "All other sessions have ended.",
  sessionGone: "That session had ended already.",
  unknownDevice: "Unknown device",

  forgot: "Forgotten password",
  forgotQuestion: "Forgot your password?",
  forgotHint: "We send you a link to set a new password.",
  sendLink: "Send the link",
  linkSent: (minutes: number) =>
    `If there is an account with this address, a mail is on its way. Its link works for ${minutes} minutes.`,
  backToSignIn: "Back to the sign-in",
  newPassword: "New password",
  setPassword: "Set the password",
  passwordSet: "The new password is set. Sign in with it.",
  allSignedOut: "All devices are signed out then.",
  oldLink: "This link is too old, or it was used already.",
  newLink: "Get a new one",

  unverified: "Your email address is not verified yet.",
  verifyFirst: "Verify your email address first. The dashboard sends the link again",
  verifyAgain: "Send the link again",
  verifySent: "A mail with a link is on its way.",
  verified: "Your email address is verified.",

  keys: "API keys",
  noKeys: "You have no key yet. A program sends one in the header",
  keyName: "Name of the service",
  makeKey: "Make a key",
  wrongKeyName: "A name has 1 to 60 characters.",
  newKey: (key: string) => `This is the key. Copy it now: it is not shown again. ${key}`,
  madeAt: "made",
  revoke: "Revoke",
  revokeKey: (name: string) => `Revoke the key of ${name}`,
  keyRevoked: "The key is gone: nobody can use it any more.",

  passkeys: "Passkeys",
  passkeysAbout:
    "With a passkey you sign in by fingerprint, face or PIN, without a password. It stays on your device or in your password manager.",
  usePasskey: "Use a passkey",
  addPasskey: "Add a passkey",
  synchronised: "Synchronised",
  onOneDevice: "On one device",
  usedAt: "used",
  notUsedYet: "not used yet",
  removePasskey: (name: string, since: string) => `Remove the passkey ${name} of ${since}`,
  passkeyAdded: "The passkey is added. You can sign in with it.",
  passkeyRemoved: "The passkey is gone: nobody can sign in with it any more.",
  passkeyGone: "That passkey was gone already.",
  /** Messages of the script, by the name of the browser's error or the status of the answer. */
  passkeyProblems: {
    NotAllowedError: "That was cancelled, or it took too long. Try again.",
    InvalidStateError: "This device has a passkey for your account already.",
    SecurityError: "Passkeys do not work at this address.",
    400: "The passkey was not accepted. Try again.",
    401: "This passkey is not known here. Sign in another way, then add it to your account.",
    409: "You have too many passkeys. Remove one first.",
    429: "Too many attempts. Wait a minute, then try again.",
    other: "That did not work. Try again later.",
  },

  secondFactor: "Second factor",
  secondFactorAbout:
    "With a second factor, signing in by password also asks for a code of an app on your phone. A stolen password is not enough then.",
  secondFactorOn: "The second factor is on.",
  secondFactorOff: "The second factor is off.",
  scanCode: "Scan this with the app, or type the key into it. Then write the code that it shows.",
  code: "Code",
  codeHint: "The six digits of the app, or a recovery code.",
  wrongCode: "This code is not right, or it was used already.",
  continueSignIn: "Continue",
  turnOn: "Turn it on",
  turnOff: "Turn it off",
  recoveryCodes: (codes: string) =>
    `It is on. Keep these recovery codes: each works once, if you lose the phone. ${codes}`,
  recoveryLeft: (count: number) => `Recovery codes that are left: ${count}.`,

  invitations: "Invitations",
  invitationsAbout: "The person gets a mail with a link to sign up, which works for a week.",
  invite: "Send the invitation",
  invited: (email: string) => `An invitation to ${email} is on its way.`,
  invitedAs: (email: string) => `You are invited as ${email}.`,

  mails: {
    reset: (host: string, link: string, minutes: number) => ({
      subject: `A new password for ${host}`,
      text: `Somebody asked to set a new password for your account at ${host}.

If it was you, open this link within ${minutes} minutes. It works once.

${link}

If it was not you, do nothing. Your password remains as it is.
`,
    }),
    changed: (host: string, link: string) => ({
      subject: `Your password for ${host} was changed`,
      text: `The password of your account at ${host} was changed, and all sessions were ended.

If it was not you, set a new password: ${link}
`,
    }),
    verify: (host: string, link: string) => ({
      subject: `Verify your address for ${host}`,
      text: `Somebody made an account at ${host} with this address.

If it was you, open this link within a day, in the browser in which you are signed in.

${link}

If it was not you, do nothing.
`,
    }),
    newDevice: (host: string, origin: string, device: string, address: string) => ({
      subject: `A sign-in at ${host} on a new device`,
      text: `Somebody signed in to your account at ${host}.

Device: ${device}
Address: ${address}

If it was you, do nothing.

If it was not you, set a new password, which ends all sessions: ${origin}/forgot
`,
    }),
    invitation: (host: string, link: string, from: string) => ({
      subject: `An invitation to ${host}`,
      text: `${from} invites you to ${host}. Sign up within a week:

${link}
`,
    }),
  },
}

export type Texts = typeof english

/** The language of a visitor, as a name for `Intl`. */
export function languageOf(_c: Context): keyof typeof languages {
  return "en-GB"
}

const languages = { "en-GB": english } satisfies Record<string, Texts>

export function textsOf(c: Context): Texts {
  return languages[languageOf(c)]
}

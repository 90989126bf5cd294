/** Menu items of the pages. Each part of the application adds its own when its module is loaded, at start. */
import type { Texts } from "./texts.ts"

export interface MenuItem {
  readonly label: (texts: Texts) => string
  readonly path: string
}

/** A way to sign in: a link, or a button of a script. */
export interface SignInWay extends MenuItem {
  /** The script, which sends its requests to the path. It shows the button where the browser can do what it needs. */
  readonly script?: string
}

/** Other ways to sign in than with a password, shown on the login page. */
export const signInWays: SignInWay[] = []

/** The account pages, linked at the top of each. */
export const accountPages: MenuItem[] = [
  { label: (texts) => texts.dashboard, path: "/dashboard" },
  { label: (texts) => texts.sessions, path: "/sessions" },
]

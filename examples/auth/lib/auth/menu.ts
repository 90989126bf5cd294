/** Menu items of the pages. Each part of the application adds its own when its module is loaded, at start. */
import type { Texts } from "./texts.ts"

export interface MenuItem {
  readonly label: (texts: Texts) => string
  readonly path: string
}

/** A way to sign in: a link, or a button of a script. */
export interface SignInWay extends MenuItem {
  /**
   * The script, which sends its requests to the path. It shows the button only if the browser supports what it
   * needs.
   */
  readonly script?: string
}

/** Ways to sign in without a password, shown on the login page. */
export const signInWays: SignInWay[] = []

/** The account pages, linked at the top of each. */
export const accountPages: MenuItem[] = [
  { label: (texts) => texts.dashboard, path: "/dashboard" },
  { label: (texts) => texts.sessions, path: "/sessions" },
]

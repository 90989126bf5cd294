/** What the pages lead to. Each part of the application adds itself when its module is loaded, which is at start. */

export interface MenuItem {
  readonly label: string
  readonly path: string
}

/** Other ways to sign in than by a password: on the login page. */
export const signInWays: MenuItem[] = []

/** The pages of an account: above each of them. */
export const accountPages: MenuItem[] = [
  { label: "Dashboard", path: "/dashboard" },
  { label: "Sessions", path: "/sessions" },
]

/** Menu items of the pages. Each part of the application adds its own when its module is loaded, at start. */

export interface MenuItem {
  readonly label: string
  readonly path: string
}

/** Other ways to sign in than with a password, shown on the login page. */
export const signInWays: MenuItem[] = []

/** The account pages, linked at the top of each. */
export const accountPages: MenuItem[] = [
  { label: "Dashboard", path: "/dashboard" },
  { label: "Sessions", path: "/sessions" },
]

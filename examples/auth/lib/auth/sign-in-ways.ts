/** Other ways to sign in than by a password, for the login page. Each adds itself when its module is loaded. */

export interface SignInWay {
  /** As in "Continue with Google". */
  readonly name: string
  readonly path: string
}

export const signInWays: SignInWay[] = []

/** A fire drill: breaks on purpose, to see that the log and whoever watches it notice. The client learns nothing. */
export function Post(): Response {
  throw new Error("this is a drill", { cause: new Error("an administrator asked for it") })
}

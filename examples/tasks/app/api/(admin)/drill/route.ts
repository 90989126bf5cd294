/**
 * A fire drill: fails on purpose, to check that the log and the monitoring notice. The client gets no
 * details.
 */
export function Post(): Response {
  throw new Error("this is a drill", { cause: new Error("an administrator asked for it") })
}

/** Errors in the form that the client takes. */
import { type Context, HttpError } from "fw"

/** Answers with an error: the application's error page for a browser, JSON for other clients. @throws HttpError for a browser. */
export function refusal<Status extends 400 | 403 | 404 | 500>(
  c: Context,
  status: Status,
  error: string,
  cause?: unknown,
) {
  if (c.header("accept").includes("text/html")) throw new HttpError(status, error, { code: error, cause })
  return c.json(status, { error })
}

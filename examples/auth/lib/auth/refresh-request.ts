/** The request body of the refresh token routes: `{"refresh_token": "…"}`. */
import { type Context, HttpError } from "fw"

/** Returns the refresh token of a request; null if the body is not valid. */
export async function readRefresh(c: Context): Promise<string | null> {
  try {
    const { refresh_token } = { ...(await c.bind<{ refresh_token?: string } | null>()) }
    return typeof refresh_token === "string" && refresh_token !== "" ? refresh_token : null
  } catch (error) {
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

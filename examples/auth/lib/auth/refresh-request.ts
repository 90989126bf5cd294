/** The body of the routes for refresh tokens: `{"refresh_token": "…"}`. */
import { type Context, HttpError } from "fw"

/** The refresh token that was sent; null where the body is none. */
export async function readRefresh(c: Context): Promise<string | null> {
  try {
    const { refresh_token } = { ...(await c.bind<{ refresh_token?: unknown } | null>()) }
    return typeof refresh_token === "string" && refresh_token !== "" ? refresh_token : null
  } catch (error) {
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

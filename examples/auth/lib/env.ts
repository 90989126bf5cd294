/**
 * The environment variables of the application itself. lib/auth/ reads those of the authentication patterns.
 */

/** Addresses of reverse proxies whose forwarding headers are trusted. */
export const trustedProxies = (process.env.TRUSTED_PROXIES ?? "").split(",").filter((range) => range !== "")

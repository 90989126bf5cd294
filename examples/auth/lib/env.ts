/** The environment variables of the application itself. Those of the patterns are read in lib/auth/. */

/** Addresses of the proxies in front, whose forwarded headers are believed. */
export const trustedProxies = (process.env.TRUSTED_PROXIES ?? "").split(",").filter((range) => range !== "")

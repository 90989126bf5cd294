/** Messages about sessions. */
import { describeType, formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

/** How to write each option. The options that are not here take seconds. */
const fixByOption: Readonly<Record<string, string>> = {
  cookie:
    'Write a name without a prefix, such as cookie: "session". fw adds __Host- where the cookie is secure, or __Secure- with a domain.',
  sameSite: 'Write "Lax", "Strict" or "None".',
  secure:
    'Write true, false or "auto". With "auto" the cookie is secure in requests over https; behind a proxy, trustedProxies of the app decide.',
  domain:
    'Write the domain that the hosts share, without a scheme, a port and a dot in front: domain: "shop.example". Leave it out for one host.',
}

export const sessionMessages = {
  "session.none": () => [
    "c.session was used in a request that session() does not run for",
    "Use the middleware: app.use(session({ store })), or write export const Middleware = () => session({ store }) in a middleware.ts above the route.",
  ],
  "session.closed": (call: string) => [
    `${call} was called after the response began, when the session was saved already`,
    "Change the session before the handler returns, also if the response is a stream.",
  ],
  "session.subject": (call: string, value: unknown) => [
    `${call} was given ${value === "" ? "an empty text" : describeType(value)}`,
    "Pass the id of the user as text, such as c.session.signIn(user.id).",
  ],
  "session.option": (option: string, value: unknown) => [
    `session() was given ${formatValue(value)} as ${option}`,
    fixByOption[option] ?? `Write whole seconds, such as ${option}: 86_400, which is a day.`,
  ],
  "session.order": () => [
    "session() was given an idle that is larger than the lifetime",
    "A session ends after idle seconds without a request, and after lifetime seconds in any case.",
  ],
  "session.none_secure": (secure: unknown) => [
    `session() was given sameSite: "None" with secure: ${JSON.stringify(secure)}, and browsers drop such a cookie over http`,
    'Leave out secure, which is true with sameSite: "None". Browsers take secure cookies from http://localhost, too.',
  ],
  "session.refusals": (refusals: number) => [
    `a session was not saved: kv.compareAndSet() of its store returned false ${refusals} times, although the value was as expected`,
    "Compare values by their JSON, not by ===, and return true when the value was set.",
  ],
} satisfies Messages

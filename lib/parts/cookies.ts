/** The part `cookies`: cookies, signed cookies and messages for the next page. */
export { readCookie, writeCookie } from "../request/cookies.ts"
export { addFlash, takeFlashes } from "../request/flash.ts"
export { signCookie, verifyCookie } from "../request/signed-cookies.ts"

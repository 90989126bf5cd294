/**
 * Passkeys in the browser: signing in on the login page, and adding one on the account page. The server hides the
 * elements `[data-passkey]`, so that a browser without passkeys or scripts only offers the password.
 */

/** An answer of the server that is not a success. */
class Refused extends Error {
  constructor(status) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

const decodeBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))

const encodeBase64 = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

async function post(path, data) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(data ?? {}),
  })
  // The session has ended, so the server redirects to the login page.
  if (answer.redirected) location.assign(answer.url)
  if (!answer.ok || answer.redirected) throw new Refused(answer.status)
  return answer.json()
}

const decodeIDs = (list = []) => list.map((item) => ({ ...item, id: decodeBase64(item.id) }))

/** Returns a credential as JSON. Some password managers break the method `toJSON()` of the browser. */
function toJSON({ id, rawId, type, response }) {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
  const fields = names.filter((name) => response[name]).map((name) => [name, encodeBase64(response[name])])
  return { id, rawId: encodeBase64(rawId), type, response: Object.fromEntries(fields) }
}

async function signIn(mediation, signal) {
  const options = await post("/api/auth/passkey/options")
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: decodeBase64(options.challenge),
      allowCredentials: decodeIDs(options.allowCredentials),
    },
    mediation,
    signal,
  })
  const { next } = await post("/api/auth/passkey", toJSON(credential))
  location.assign(next)
}

async function add() {
  const options = await post("/passkeys/options")
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: decodeBase64(options.challenge),
      user: { ...options.user, id: decodeBase64(options.user.id) },
      excludeCredentials: decodeIDs(options.excludeCredentials),
    },
  })
  await post("/passkeys/new", toJSON(credential))
  location.assign("/passkeys")
}

/** Runs an action, and shows why it did not work. For an offer, this is shown only if the user accepted it. */
async function attempt(area, run, isOffer = false) {
  const problem = area.querySelector("[role=alert]")
  problem.hidden = true
  try {
    await run()
  } catch (error) {
    if (error.name === "AbortError" || (isOffer && ![400, 401].includes(error.status))) return
    const sentences = JSON.parse(area.dataset.problems)
    problem.textContent = sentences[error.status ?? error.name] ?? sentences.other
    problem.hidden = false
  }
}

/** Offers passkeys in the list that the browser shows for the email field, if the browser supports this. */
async function offer(area, signal) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  await attempt(area, () => signIn("conditional", signal), true)
}

for (const area of window.PublicKeyCredential ? document.querySelectorAll("[data-passkey]") : []) {
  area.hidden = false
  const button = area.querySelector("button")
  // A browser asks for only one passkey at a time, so the button ends the offer.
  const offerAbort = new AbortController()
  const isSignIn = area.dataset.passkey === "sign-in"
  button.addEventListener("click", async () => {
    offerAbort.abort()
    button.disabled = true
    await attempt(area, () => (isSignIn ? signIn() : add()))
    button.disabled = false
  })
  if (isSignIn) offer(area, offerAbort.signal)
}

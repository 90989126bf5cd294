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

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))

const textOf = (bytes) =>
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

const withBytes = (list = []) => list.map((one) => ({ ...one, id: bytesOf(one.id) }))

/** Returns a credential as JSON. Some password managers break the method `toJSON()` of the browser. */
const jsonOf = ({ id, rawId, type, authenticatorAttachment }, response) => ({
  id,
  rawId: textOf(rawId),
  type,
  authenticatorAttachment,
  response,
  clientExtensionResults: {},
})

async function signIn(mediation, signal) {
  const options = await post("/api/auth/passkey/options")
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
    mediation,
    signal,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  const response = {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle ? textOf(userHandle) : undefined,
  }
  const { next } = await post("/api/auth/passkey", jsonOf(credential, response))
  location.assign(next)
}

async function add() {
  const options = await post("/passkeys/options")
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  })
  const { clientDataJSON, attestationObject } = credential.response
  const response = {
    clientDataJSON: textOf(clientDataJSON),
    attestationObject: textOf(attestationObject),
    transports: credential.response.getTransports?.() ?? [],
  }
  await post("/passkeys/new", jsonOf(credential, response))
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
  const offered = new AbortController()
  const isSignIn = area.dataset.passkey === "sign-in"
  button.addEventListener("click", async () => {
    offered.abort()
    button.disabled = true
    await attempt(area, () => (isSignIn ? signIn() : add()))
    button.disabled = false
  })
  if (isSignIn) offer(area, offered.signal)
}

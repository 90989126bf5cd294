export const title = "Welcome"

const patterns = [
  ["Bearer tokens", "POST /api/auth, then /api/protected/profile"],
  ["Cookie sessions", "/login, then /dashboard"],
  ["API keys", "/keys, then /api/service/whoami"],
  ["Passkeys", "/login and /passkeys, without a password"],
  ["A second factor", "/second-factor, codes of an app"],
  ["Invitations", "/invitations, links to sign up"],
  ["Roles", "/api/protected/admin/users, for administrators"],
  ["A check before routing", "/api/me, by session or token"],
  ["OpenID Connect", "/api/auth/google, once it is set up"],
] as const

template Page() {
  <h1 class="text-3xl font-semibold tracking-tight sm:text-4xl">Nine ways to know who asks</h1>
  <p class="text-muted mt-3 max-w-prose text-lg">Each is a small file of this application. Take those that you
    need.</p>
  <p class="mt-6 flex flex-wrap gap-3">
    <a href="/login" class="button button-main">Sign in</a>
    <a href="/signup" class="button button-plain">Sign up</a>
  </p>
  <dl class="mt-10 grid gap-x-8 gap-y-6 sm:grid-cols-2">
    {for (const [name, where] of patterns) {
      <div><dt class="font-medium">{name}</dt><dd class="text-muted mt-1">{where}</dd></div>
    }}
  </dl>
}

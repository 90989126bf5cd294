/**
 * The tables, as steps that are applied once each, in order. Add steps at the end; never change one that has
 * been applied.
 */

/** A step, applied completely or not at all. */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

// Times are milliseconds since 1970. Secrets are stored only as digests.
export const migrations: readonly Migration[] = [
  {
    name: "0001 users",
    statements: [
      `CREATE TABLE users (
        id TEXT PRIMARY KEY,
        email TEXT NOT NULL UNIQUE,
        -- NULL for users of another provider.
        password_hash TEXT,
        name TEXT NOT NULL DEFAULT '',
        picture TEXT NOT NULL DEFAULT '',
        role TEXT NOT NULL CHECK (role IN ('user', 'admin', 'super')),
        -- 1 if the address is verified.
        email_verified INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    ],
  },
  {
    name: "0002 sessions",
    statements: [
      `CREATE TABLE sessions (
        digest TEXT PRIMARY KEY,
        -- Identifies a session to its owner. It is not a secret.
        handle TEXT NOT NULL UNIQUE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        user_agent TEXT NOT NULL,
        address TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX sessions_by_user ON sessions (user_id)",
      "CREATE INDEX sessions_by_end ON sessions (expires_at)",
    ],
  },
  {
    name: "0003 refresh tokens",
    statements: [
      `CREATE TABLE refresh_tokens (
        digest TEXT PRIMARY KEY,
        -- All tokens of one login have the same family.
        family TEXT NOT NULL,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- The digest of the token that replaced this one.
        replaced_by TEXT,
        revoked INTEGER NOT NULL DEFAULT 0,
        expires_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family)",
      "CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id)",
      "CREATE INDEX refresh_tokens_by_end ON refresh_tokens (expires_at)",
    ],
  },
  {
    name: "0004 API keys",
    statements: [
      `CREATE TABLE api_keys (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        service_name TEXT NOT NULL,
        user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX api_keys_by_user ON api_keys (user_id)",
    ],
  },
  {
    name: "0005 sign-in with a provider",
    statements: [
      `CREATE TABLE identities (
        provider TEXT NOT NULL,
        subject TEXT NOT NULL,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        PRIMARY KEY (provider, subject)
      ) STRICT`,
      `CREATE TABLE oauth_flows (
        state_digest TEXT PRIMARY KEY,
        verifier TEXT NOT NULL,
        nonce TEXT NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX oauth_flows_by_end ON oauth_flows (expires_at)",
    ],
  },
  {
    name: "0006 passkeys",
    statements: [
      `CREATE TABLE passkeys (
        -- The credential ID, in base64url.
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        public_key TEXT NOT NULL,
        counter INTEGER NOT NULL,
        -- Separated by spaces.
        transports TEXT NOT NULL,
        may_be_backed_up INTEGER NOT NULL,
        backed_up INTEGER NOT NULL,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        used_at INTEGER
      ) STRICT`,
      "CREATE INDEX passkeys_by_user ON passkeys (user_id)",
      `CREATE TABLE passkey_challenges (
        digest TEXT PRIMARY KEY,
        -- The session or the browser that asked for it.
        owner TEXT NOT NULL,
        expires_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at)",
    ],
  },
  {
    name: "0007 password resets",
    statements: [
      `CREATE TABLE password_resets (
        digest TEXT PRIMARY KEY,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        expires_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX password_resets_by_user ON password_resets (user_id)",
      "CREATE INDEX password_resets_by_end ON password_resets (expires_at)",
    ],
  },
]

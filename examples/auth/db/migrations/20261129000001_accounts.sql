-- In all tables of accounts, times are milliseconds since 1970, and booleans are 0 or 1.
CREATE TABLE users (
  id text PRIMARY KEY,
  -- In lower case.
  email text NOT NULL UNIQUE,
  email_verified integer NOT NULL,
  -- NULL for users who sign in with a provider only.
  password_hash text,
  name text NOT NULL,
  picture text NOT NULL,
  -- One of the roles in lib/auth/identity.ts.
  role text NOT NULL,
  created_at bigint NOT NULL
);

-- A browser that is signed in. Its session, which is in the store, has the id.
CREATE TABLE sign_ins (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  user_agent text NOT NULL,
  address text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX sign_ins_user ON sign_ins (user_id);

CREATE TABLE refresh_tokens (
  digest text PRIMARY KEY,
  -- All tokens of one login have the same family.
  family text NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The digest of the token that replaced this one.
  replaced_by text,
  revoked integer NOT NULL DEFAULT 0,
  expires_at bigint NOT NULL
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  digest text NOT NULL,
  service_name text NOT NULL,
  -- The owner. The key ends with the account.
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at bigint NOT NULL
);
CREATE INDEX api_keys_user ON api_keys (user_id);

-- The users of a provider such as Google, and whose account is theirs.
CREATE TABLE identities (
  provider text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (provider, subject)
);

CREATE TABLE passkeys (
  -- The credential ID, in base64url.
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  -- 1 if the authenticator has copied it to other devices.
  backed_up integer NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE second_factors (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- In base32. The program needs the secret itself, so a digest is not enough.
  secret text NOT NULL,
  -- Codes of this step of 30 seconds and of earlier ones are used up.
  used_step bigint NOT NULL,
  -- Digests of the recovery codes that are left, separated by spaces.
  recovery_codes text NOT NULL
);

-- down
DROP TABLE second_factors;
DROP TABLE passkeys;
DROP TABLE identities;
DROP TABLE api_keys;
DROP TABLE refresh_tokens;
DROP TABLE sign_ins;
DROP TABLE users;

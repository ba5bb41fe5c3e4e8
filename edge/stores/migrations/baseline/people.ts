// Creates the tables of the people of the dashboard: roles, sessions, invitations, second factors, single sign-on.

export const people: string[] = [
  `CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL)`,
  `CREATE UNIQUE INDEX person_by_email ON person (email)`,

  `CREATE TABLE membership (organisation_id INTEGER NOT NULL, person_id INTEGER NOT NULL, role TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (organisation_id, person_id))`,
  `CREATE INDEX membership_of_person ON membership (person_id, organisation_id)`,

  // Null: the session reaches all organisations of the person.
  `CREATE TABLE dashboard_session (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, token_hash TEXT NOT NULL,
    user_agent TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    organisation_id INTEGER)`,
  `CREATE UNIQUE INDEX dashboard_session_by_token ON dashboard_session (token_hash)`,
  `CREATE INDEX dashboard_session_of_person ON dashboard_session (person_id, id)`,
  `CREATE INDEX dashboard_session_by_expiry ON dashboard_session (expires_at)`,

  // One-time links. Only the hash of a token is stored.
  // `sending`, `sent`, `failed` or `unknown`; null: no mail server was set.
  // When the state was written.
  // The last answer of the mail server, in words.
  `CREATE TABLE invitation (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, email TEXT NOT NULL,
    role TEXT NOT NULL, token_hash TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    mail_state TEXT, mail_at INTEGER, mail_error TEXT, invited_by TEXT)`,
  `CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash)`,
  `CREATE UNIQUE INDEX invitation_by_email ON invitation (organisation_id, email)`,
  `CREATE INDEX invitation_by_expiry ON invitation (expires_at)`,

  `CREATE TABLE password_reset (person_id INTEGER PRIMARY KEY, token_hash TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL)`,
  `CREATE UNIQUE INDEX password_reset_by_token ON password_reset (token_hash)`,
  `CREATE INDEX password_reset_by_expiry ON password_reset (expires_at)`,

  // One-time codes (TOTP). Unconfirmed: the person has not yet sent a first code.
  // Attempts at the second factor in browsers that signed in before.
  `CREATE TABLE totp (person_id INTEGER PRIMARY KEY, sealed TEXT NOT NULL, last_step INTEGER NOT NULL,
    attempts INTEGER NOT NULL, retry_at INTEGER NOT NULL, created_at INTEGER NOT NULL, confirmed_at INTEGER,
    known_attempts INTEGER NOT NULL DEFAULT 0, known_retry_at INTEGER NOT NULL DEFAULT 0)`,

  `CREATE TABLE recovery_code (person_id INTEGER NOT NULL, code_hash TEXT NOT NULL, PRIMARY KEY (person_id, code_hash))`,

  `CREATE TABLE passkey (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, credential_id TEXT NOT NULL,
    public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, name TEXT NOT NULL,
    created_at INTEGER NOT NULL, last_used_at INTEGER)`,
  `CREATE UNIQUE INDEX passkey_by_credential ON passkey (credential_id)`,
  `CREATE INDEX passkey_of_person ON passkey (person_id, id)`,

  `CREATE TABLE single_sign_on (organisation_id INTEGER PRIMARY KEY, issuer TEXT NOT NULL, client_id TEXT NOT NULL,
    sealed TEXT NOT NULL, domains TEXT NOT NULL, new_member_role TEXT, revision INTEGER NOT NULL,
    updated_at INTEGER NOT NULL)`,

  // The key keeps two organisations from proving one domain. `missing_since`: the record was not found by a later check.
  `CREATE TABLE proved_domain (domain TEXT PRIMARY KEY, organisation_id INTEGER NOT NULL, proved_by TEXT NOT NULL,
    proved_at INTEGER NOT NULL, checked_at INTEGER NOT NULL, missing_since INTEGER)`,
  `CREATE INDEX proved_domain_of_organisation ON proved_domain (organisation_id, domain)`,
  `CREATE INDEX proved_domain_by_check ON proved_domain (proved_by, checked_at)`,

  `CREATE TABLE linked_identity (organisation_id INTEGER NOT NULL, issuer TEXT NOT NULL, subject TEXT NOT NULL,
    person_id INTEGER NOT NULL, linked_at INTEGER NOT NULL, PRIMARY KEY (organisation_id, issuer, subject))`,
  `CREATE UNIQUE INDEX linked_identity_of_person ON linked_identity (organisation_id, person_id)`,

  // Sign-ins in progress. Only the hash of a token is stored.
  // JSON of what the browser has to answer; null where the kind says it all.
  `CREATE TABLE sign_in_challenge (token_hash TEXT PRIMARY KEY, kind TEXT NOT NULL, person_id INTEGER,
    organisation_id INTEGER, password_hash TEXT, attempts INTEGER NOT NULL, expires_at INTEGER NOT NULL, detail TEXT)`,
  `CREATE INDEX sign_in_challenge_by_expiry ON sign_in_challenge (expires_at)`,
]

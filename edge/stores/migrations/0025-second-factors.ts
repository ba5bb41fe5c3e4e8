// Adds second factors, passkeys and single sign-on of people, and sign-ins in progress (migration 25).

import type { Migration } from './migration.ts'

export const secondFactors: Migration = {
  number: 25,
  oldestBinary: 1,
  statements: [
    // One-time codes (TOTP). Unconfirmed: the person has not yet sent a first code.
    `CREATE TABLE totp (person_id INTEGER PRIMARY KEY, sealed TEXT NOT NULL, last_step INTEGER NOT NULL, attempts INTEGER NOT NULL,
      retry_at INTEGER NOT NULL, created_at INTEGER NOT NULL, confirmed_at INTEGER)`,
    `CREATE TABLE recovery_code (person_id INTEGER NOT NULL, code_hash TEXT NOT NULL, PRIMARY KEY (person_id, code_hash))`,

    `CREATE TABLE passkey (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, credential_id TEXT NOT NULL, public_key TEXT NOT NULL,
      counter INTEGER NOT NULL, transports TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER)`,
    `CREATE UNIQUE INDEX passkey_by_credential ON passkey (credential_id)`,
    `CREATE INDEX passkey_of_person ON passkey (person_id, id)`,

    `CREATE TABLE single_sign_on (organisation_id INTEGER PRIMARY KEY, issuer TEXT NOT NULL, client_id TEXT NOT NULL, sealed TEXT NOT NULL,
      domains TEXT NOT NULL, new_member_role TEXT, revision INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    `CREATE TABLE linked_identity (organisation_id INTEGER NOT NULL, issuer TEXT NOT NULL, subject TEXT NOT NULL, person_id INTEGER NOT NULL,
      linked_at INTEGER NOT NULL, PRIMARY KEY (organisation_id, issuer, subject))`,
    `CREATE UNIQUE INDEX linked_identity_of_person ON linked_identity (organisation_id, person_id)`,
    // Null: the session reaches all organisations of the person.
    `ALTER TABLE dashboard_session ADD COLUMN organisation_id INTEGER`,

    // Sign-ins in progress. Only the hash of a token is stored.
    `CREATE TABLE sign_in_challenge (token_hash TEXT PRIMARY KEY, kind TEXT NOT NULL, person_id INTEGER, organisation_id INTEGER,
      password_hash TEXT, attempts INTEGER NOT NULL, expires_at INTEGER NOT NULL)`,
    `CREATE INDEX sign_in_challenge_by_expiry ON sign_in_challenge (expires_at)`,
  ],
}

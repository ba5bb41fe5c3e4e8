// Adds the people of the dashboard: their roles, sessions, invitations and password resets (migration 23).

import type { Migration } from './migration.ts'

export const people: Migration = {
  number: 23,
  // An older program writes `member` only when it creates the demo organisation.
  oldestBinary: 1,
  statements: [
    `CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX person_by_email ON person (email)`,
    `CREATE TABLE membership (organisation_id INTEGER NOT NULL, person_id INTEGER NOT NULL, role TEXT NOT NULL,
      created_at INTEGER NOT NULL, PRIMARY KEY (organisation_id, person_id))`,
    `CREATE INDEX membership_of_person ON membership (person_id, organisation_id)`,
    // A person may have roles in several organisations, which `member` could not express.
    `INSERT INTO person (id, email, name, password_hash, created_at)
      SELECT ROW_NUMBER() OVER (ORDER BY MIN(created_at), LOWER(email)), LOWER(email), MIN(name), MIN(password_hash), MIN(created_at)
        FROM member GROUP BY LOWER(email)`,
    `INSERT INTO membership (organisation_id, person_id, role, created_at)
      SELECT m.organisation_id, p.id, MIN(m.role), MIN(m.created_at) FROM member m JOIN person p ON p.email = LOWER(m.email)
        GROUP BY m.organisation_id, p.id`,
    `DELETE FROM member`,

    `CREATE TABLE dashboard_session (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, token_hash TEXT NOT NULL, user_agent TEXT NOT NULL,
      created_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX dashboard_session_by_token ON dashboard_session (token_hash)`,
    `CREATE INDEX dashboard_session_of_person ON dashboard_session (person_id, id)`,
    `CREATE INDEX dashboard_session_by_expiry ON dashboard_session (expires_at)`,

    // One-time links. Only the hash of a token is stored.
    `CREATE TABLE invitation (id INTEGER PRIMARY KEY, organisation_id INTEGER NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL,
      token_hash TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash)`,
    `CREATE UNIQUE INDEX invitation_by_email ON invitation (organisation_id, email)`,
    `CREATE INDEX invitation_by_expiry ON invitation (expires_at)`,
    `CREATE TABLE password_reset (person_id INTEGER PRIMARY KEY, token_hash TEXT NOT NULL, created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL)`,
    `CREATE UNIQUE INDEX password_reset_by_token ON password_reset (token_hash)`,
    `CREATE INDEX password_reset_by_expiry ON password_reset (expires_at)`,
  ],
}

// Adds the rotation of secrets, the audit log, and notices from other processes (migration 3).

import type { Migration } from './migration.ts'

export const secrets: Migration = {
  number: 3,
  oldestBinary: 1,
  statements: [
    // settled_at: when sessions of a retired value had ended and its text was deleted.
    `ALTER TABLE secret ADD COLUMN settled_at INTEGER`,
    `CREATE INDEX secret_to_settle ON secret (retires_at) WHERE retires_at IS NOT NULL AND settled_at IS NULL`,
    `CREATE TABLE audit_entry (number IDENTITY, at INTEGER NOT NULL, actor TEXT NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL,
      environment_id INTEGER, subject TEXT NOT NULL, detail TEXT NOT NULL)`,
    `CREATE INDEX audit_entry_of_environment ON audit_entry (environment_id, number)`,
    // Short-lived: every server reads them within a second.
    `CREATE TABLE notice (number IDENTITY, at INTEGER NOT NULL, topic TEXT NOT NULL, payload TEXT NOT NULL)`,
  ],
}

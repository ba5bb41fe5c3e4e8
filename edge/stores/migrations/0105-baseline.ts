// Creates all tables (migration 105). INTEGER is a 64-bit integer; `IDENTITY` is a number that the store generates and
// never reuses.

import { events } from './baseline/events.ts'
import { installation } from './baseline/installation.ts'
import { mails } from './baseline/mails.ts'
import { messages } from './baseline/messages.ts'
import { people } from './baseline/people.ts'
import { runs } from './baseline/runs.ts'
import { sources } from './baseline/sources.ts'
import { tenants } from './baseline/tenants.ts'
import { users } from './baseline/users.ts'
import type { Migration } from './migration.ts'

/** The numbers below it belong to stores that were made before the first release. */
export const baseline: Migration = {
  number: 105,
  oldestBinary: 105,
  statements: [...installation, ...tenants, ...people, ...users, ...events, ...runs, ...messages, ...mails, ...sources],
}

// Adds the index of the delivery history for messages of other channels than the inbox (migration 36).

import type { Migration } from './migration.ts'

export const historyByChannel: Migration = {
  number: 36,
  oldestBinary: 1,
  statements: [
    // Messages of the inbox are the common ones: those are found in the order of the environment, and cost nothing here.
    `CREATE INDEX message_by_channel ON message (environment_id, channel, id) WHERE channel <> 'inbox'`,
  ],
}

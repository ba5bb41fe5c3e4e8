// Implements `nc epoch renew`, for use after a store was put back by other means than `nc restore` (pg_restore, a copy of the folder).

import { renewEpoch } from '../../stores/portable/renew-epoch.ts'
import type { Command } from '../command.ts'

export const epochCommands: Command[] = [
  {
    noun: 'epoch',
    verb: 'renew',
    summary:
      'Lets open widgets read their inboxes anew, after another tool put the store back. Stop the servers first.',
    async run(_, context) {
      const store = await context.openMaintenanceStore({ exclusive: false })
      try {
        const epoch = await renewEpoch(store)
        return { data: { epoch }, lines: ['Open widgets read their inboxes anew. Start the server.'] }
      } finally {
        await store.close()
      }
    },
  },
]

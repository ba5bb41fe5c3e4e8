// What runs again and again, wired; and what this process must know before the first of it.

import { createExpireMessages } from '../flow/inbox/expire-messages.ts'
import { createPurgeExpired } from '../flow/retention/purge-expired.ts'
import { createSchedule, createTasks, type Schedule } from '../jobs/schedule.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'

/** Reads which sessions have ended; nothing runs before the schedule is started. */
export async function wireSchedule(core: Core, auth: Auth): Promise<Schedule> {
  const { stores, bus, clock, log } = core
  // Before the first read of what they tell about: a change in between is heard of.
  await auth.relay.turn()
  await noteMasterKeys(core, auth)
  await auth.sessions.load()

  const { turn: purgeExpired } = createPurgeExpired({ ...stores, bus, clock })
  const sessions = {
    async purgeExpired(now: number) {
      await stores.sessions.purgeExpired(now)
      await stores.notices.purge(now)
      // Memory forgets with the store, or the list of ended sessions would only grow.
      await auth.sessions.load()
    },
  }
  const tasks = createTasks({
    expireMessages: createExpireMessages({ commit: stores.commit, inboxes: stores.inboxes, bus, clock }),
    sessions,
    users: stores.users,
    relayNotices: auth.relay.turn,
    settleRetired: auth.settleRetired,
    purgeExpired,
    clock,
  })
  return createSchedule({ tasks, log })
}

/** For `nc master-key rotate` beside this process. Written only when they differ: a start on a full disk must not need it. */
async function noteMasterKeys({ stores }: Core, { sealer }: Auth): Promise<void> {
  const noted = await stores.rotations.listKeys()
  if (noted.join() !== sealer.keyIds.join()) await stores.rotations.noteKeys(sealer.keyIds)
}

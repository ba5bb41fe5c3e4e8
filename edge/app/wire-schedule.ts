// Wires the periodic tasks, and reads the state that they need before their first run.

import { BODIES_KEPT_MS } from '../domain/connector/delivery-body.ts'
import { DELIVERIES_KEPT_MS } from '../domain/connector/source.ts'
import { DOUBTS_KEPT_MS } from '../domain/doubt.ts'
import { createExpireMessages } from '../flow/inbox/expire-messages.ts'
import { createPurgeExpired } from '../flow/retention/purge-expired.ts'
import { createEraseEnvironments } from '../flow/tenant/erase-environments.ts'
import { createWatchWaiting } from '../flow/watch-waiting.ts'
import { createSchedule, createTasks, type Schedule } from '../jobs/schedule.ts'
import type { Core } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { WorkSignals } from './wire-flows.ts'
import { wireProveDomains } from './wire-single-sign-on.ts'

/** Time for which events of providers of mail are recognised as repeats. */
const REPORTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Loads the ended sessions. @returns The schedule; no task runs before its `start`. */
export async function wireSchedule(
  core: Core,
  auth: Auth,
  { scheduleMails }: Pick<WorkSignals, 'scheduleMails'>,
  /** Made after the schedule, which calls it first when it starts. */
  warnEndings: () => Promise<unknown>,
): Promise<Schedule> {
  const { stores, clock, log, commitPlan, mailFiles } = core
  // Reads the notices before the data that they concern, so that no change in between is missed.
  await auth.relay.turn()
  await recordMasterKeys(core, auth)
  await auth.sessions.load()

  const { turn: purgeExpired } = createPurgeExpired({
    organisations: stores.organisations,
    environments: stores.environments,
    purgeStep: (environmentId, before) => commitPlan({ kind: 'purge', environmentId, before }),
    sweepMailFiles: mailFiles.sweep,
    clock,
  })
  const sessions = {
    async purgeExpired(now: number) {
      await stores.sessions.purgeExpired(now)
      await stores.notices.purge(now)
      await stores.mailIntegrations.purgeEvents(now - REPORTS_KEPT_MS)
      await stores.sources.purgeDeliveries(now - DELIVERIES_KEPT_MS)
      await stores.deliveryBodies.purge(now - BODIES_KEPT_MS)
      await stores.doubts.purge(now - DOUBTS_KEPT_MS)
      await stores.dashboardSessions.purgeExpired(now)
      // Reloaded after the purge, or the list of ended sessions in memory would only grow.
      await auth.sessions.load()
    },
  }
  const tasks = createTasks({
    expireMessages: createExpireMessages({ commitPlan, inboxes: stores.inboxes, clock }),
    async releaseMails() {
      const now = clock.now()
      const released = (await stores.heldMails.issuePermits(now)) + (await stores.heldMails.releaseResumed(now))
      if (released > 0) scheduleMails(now)
    },
    sessions,
    users: stores.users,
    sweepMailFiles: mailFiles.sweep,
    relayNotices: auth.relay.turn,
    settleRetired: auth.settleRetired,
    warnEndings,
    purgeExpired: core.retention.watch(purgeExpired),
    eraseEnvironments: createEraseEnvironments({ ...stores, sweepMailFiles: mailFiles.sweep, clock }),
    recheckDomains: wireProveDomains(core).recheck,
    watchWaiting: createWatchWaiting({ waitings: stores.waitings, clock, log }),
    clock,
  })
  return createSchedule({ tasks, log })
}

/** Records the ids of the keys for `nc master-key rotate`. Writes only a difference, so that a start works on a full disk. */
async function recordMasterKeys({ stores }: Core, { sealer }: Auth): Promise<void> {
  const recorded = await stores.rotations.listKeys()
  if (recorded.join() !== sealer.keyIds.join()) await stores.rotations.saveKeyIds(sealer.keyIds)
}

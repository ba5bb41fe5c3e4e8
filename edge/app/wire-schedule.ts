// Wires the periodic tasks, and reads the state that they need before their first run.

import { BODIES_KEPT_MS } from '../domain/connector/delivery-body.ts'
import { DELIVERIES_KEPT_MS } from '../domain/connector/source.ts'
import { DOUBTS_KEPT_MS } from '../domain/doubt.ts'
import { createExpireMessages } from '../flow/inbox/expire-messages.ts'
import { createProveDomains } from '../flow/people/prove-domains.ts'
import { createPurgeExpired } from '../flow/retention/purge-expired.ts'
import { createEraseEnvironments } from '../flow/tenant/erase-environments.ts'
import { createWatchWaiting } from '../flow/watch-waiting.ts'
import { createSchedule, createTasks, type Schedule } from '../jobs/schedule.ts'
import type { AppCore } from './core.ts'
import type { Auth } from './wire-auth.ts'
import type { WorkSignals } from './work-signals.ts'

/** Time for which events of providers of mail are recognised as repeats. */
const REPORTS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Loads the ended sessions. @returns The schedule; no task runs before its `start`. */
export async function wireSchedule(
  core: AppCore,
  auth: Auth,
  { scheduleMails }: Pick<WorkSignals, 'scheduleMails'>,
  /** Made after the schedule, which calls it first when it starts. */
  warnEndings: () => Promise<unknown>,
): Promise<Schedule> {
  const { clock, log, commitPlan, sweepMailFiles, users } = core
  // Reads the notices before the data that they concern, so that no change in between is missed.
  await auth.relay.turn()
  await recordMasterKeys(core)
  await auth.sessions.load()

  const { turn: purgeExpired } = createPurgeExpired({
    ...core,
    purgeStep: (environmentId, before) => commitPlan({ kind: 'purge', environmentId, before }),
  })
  const sessions = {
    async purgeExpired(now: number) {
      await core.sessions.purgeExpired(now)
      await core.notices.purge(now)
      await core.mailIntegrations.purgeEvents(now - REPORTS_KEPT_MS)
      await core.sources.purgeDeliveries(now - DELIVERIES_KEPT_MS)
      await core.deliveryBodies.purge(now - BODIES_KEPT_MS)
      await core.doubts.purge(now - DOUBTS_KEPT_MS)
      await core.dashboardSessions.purgeExpired(now)
      // Reloaded after the purge, or the list of ended sessions in memory would only grow.
      await auth.sessions.load()
    },
  }
  const tasks = createTasks({
    expireMessages: createExpireMessages(core),
    async releaseMails() {
      const now = clock.now()
      const released = (await core.heldMails.issuePermits(now)) + (await core.heldMails.releaseResumed(now))
      if (released > 0) scheduleMails(now)
    },
    sessions,
    users,
    sweepMailFiles,
    relayNotices: auth.relay.turn,
    settleRetired: auth.settleRetired,
    warnEndings,
    purgeExpired: core.retentionWatch.watch(purgeExpired),
    eraseEnvironments: createEraseEnvironments(core),
    recheckDomains: createProveDomains(core).recheck,
    watchWaiting: createWatchWaiting(core),
    clock,
  })
  return createSchedule({ tasks, log })
}

/** Records the ids of the keys for `nc master-key rotate`. Writes only a difference, so that a start works on a full disk. */
async function recordMasterKeys({ rotations, sealer }: AppCore): Promise<void> {
  const recorded = await rotations.listKeys()
  if (recorded.join() !== sealer.keyIds.join()) await rotations.saveKeyIds(sealer.keyIds)
}

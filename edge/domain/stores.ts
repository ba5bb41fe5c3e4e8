// All ports of the store together: what an engine provides (SQLite today, PostgreSQL beside it).

import type { AuditLog } from './audit.ts'
import type { Campaigns } from './campaign.ts'
import type { CatchUps } from './delivery/catch-up.ts'
import type { DeliveryHistory } from './delivery/delivery-record.ts'
import type { Funnels } from './delivery/funnel.ts'
import type { EnricherRegistry } from './enricher.ts'
import type { Environments } from './environment.ts'
import type { Jobs, Leases } from './job.ts'
import type { Inboxes } from './message.ts'
import type { Notices } from './notice.ts'
import type { Organisations, Retention } from './organisation.ts'
import type { Commit } from './plan.ts'
import type { Arrivals } from './run/arrival.ts'
import type { Digests } from './run/digests.ts'
import type { RunWaits } from './run/run-wait.ts'
import type { Secrets } from './secret.ts'
import type { SendRules } from './sending/send-rules.ts'
import type { Sessions } from './session.ts'
import type { NotificationConfigs } from './tenant/notification-config.ts'
import type { SecretRotations } from './tenant/secret-rotation.ts'
import type { Topics } from './topic.ts'
import type { TrackedEvents } from './tracked-event.ts'
import type { Users } from './user.ts'

export interface Stores {
  commit: Commit
  organisations: Organisations
  environments: Environments
  configs: NotificationConfigs
  enrichers: EnricherRegistry
  secrets: Secrets
  rotations: SecretRotations
  audit: AuditLog
  notices: Notices
  users: Users
  topics: Topics
  sessions: Sessions
  jobs: Jobs
  waits: RunWaits
  leases: Leases
  arrivals: Arrivals
  digests: Digests
  events: TrackedEvents
  inboxes: Inboxes
  catchUps: CatchUps
  deliveries: DeliveryHistory
  campaigns: Campaigns
  funnels: Funnels
  retention: Retention
  sendRules: SendRules
  /** Random text of this store; a restored one has another. */
  epoch: string
  /** Which engine and driver serve, for the start-up line. */
  engine: string
  /** No id at or below this was ever handed out by an earlier process. */
  idFloor: number
  /** The number of this node among those that share the store, 0 to 30; it may change after an outage. */
  nodeNumber?(): number
  /** Throws when the store cannot be read. */
  ping(): Promise<void>
  /** Finishes what waits, then closes. */
  close(): Promise<void>
}

/** Told by an engine of its work, for the metrics; durations in ms. */
export interface StoreWatch {
  /** One statement that read. */
  onRead(tookMs: number): void
  /** `waitedMs`: how long the oldest plan waited for the writer; `tookMs`: from then until its answer, durable. */
  onBatch(batch: { plans: number; waitedMs: number; tookMs: number }): void
}

// Lists all ports of the store, which SQLite and PostgreSQL implement.

import type { AgainJobs } from './again-job.ts'
import type { AuditLog } from './audit.ts'
import type { Campaigns } from './campaign.ts'
import type { TextFiles } from './campaign-texts.ts'
import type { DeliveryBodies } from './connector/delivery-body.ts'
import type { DeliveryRuns } from './connector/delivery-run.ts'
import type { Sources } from './connector/source.ts'
import type { CatchUps } from './delivery/catch-up.ts'
import type { DeliveryHistory } from './delivery/delivery-record.ts'
import type { Funnels } from './delivery/funnel.ts'
import type { Doubts } from './doubt.ts'
import type { EnricherRegistry } from './enricher.ts'
import type { Environments } from './environment.ts'
import type { EventNames } from './event-names.ts'
import type { GivenUps } from './given-up.ts'
import type { Jobs } from './job.ts'
import type { Leases } from './lease.ts'
import type { HeldMails } from './mail/held-mail.ts'
import type { Mails } from './mail/mail.ts'
import type { MailIntegrations } from './mail/mail-integration.ts'
import type { MailLayouts } from './mail/mail-layout.ts'
import type { Mailbox } from './mail/mailbox.ts'
import type { Inboxes } from './message.ts'
import type { Names } from './names.ts'
import type { Notices } from './notice.ts'
import type { Organisations, Retention } from './organisation.ts'
import type { Challenges } from './people/challenge.ts'
import type { DashboardSessions } from './people/dashboard-session.ts'
import type { OneTimeLinks } from './people/one-time-link.ts'
import type { Passkeys } from './people/passkey.ts'
import type { People } from './people/person.ts'
import type { SecondFactors } from './people/second-factor.ts'
import type { SetUps } from './people/set-up.ts'
import type { SingleSignOns } from './people/single-sign-on.ts'
import type { Commit } from './plan.ts'
import type { Reports } from './reports.ts'
import type { Arrivals } from './run/arrival.ts'
import type { Digests } from './run/digests.ts'
import type { GateWindows } from './run/gate-windows.ts'
import type { RunWaits } from './run/run-wait.ts'
import type { Secrets } from './secret.ts'
import type { SendRules } from './sending/send-rules.ts'
import type { Sessions } from './session.ts'
import type { EndingSecrets } from './tenant/ending-secret.ts'
import type { Installations } from './tenant/installation.ts'
import type { NotificationConfigs } from './tenant/notification-config.ts'
import type { SecretRotations } from './tenant/secret-rotation.ts'
import type { Topics } from './topic.ts'
import type { TrackedEvents } from './tracked-event.ts'
import type { Users } from './user.ts'
import type { Waitings } from './waiting.ts'

/** The ports of the store: what it keeps, by noun. */
export interface Ports {
  commit: Commit
  installations: Installations
  organisations: Organisations
  environments: Environments
  configs: NotificationConfigs
  enrichers: EnricherRegistry
  textFiles: TextFiles
  mailbox: Mailbox
  mailIntegrations: MailIntegrations
  mailLayouts: MailLayouts
  sources: Sources
  deliveryBodies: DeliveryBodies
  deliveryRuns: DeliveryRuns
  againJobs: AgainJobs
  secrets: Secrets
  rotations: SecretRotations
  endingSecrets: EndingSecrets
  audit: AuditLog
  people: People
  dashboardSessions: DashboardSessions
  oneTimeLinks: OneTimeLinks
  setUps: SetUps
  challenges: Challenges
  secondFactors: SecondFactors
  passkeys: Passkeys
  singleSignOns: SingleSignOns
  notices: Notices
  users: Users
  topics: Topics
  sessions: Sessions
  jobs: Jobs
  waits: RunWaits
  leases: Leases
  givenUps: GivenUps
  waitings: Waitings
  mails: Mails
  heldMails: HeldMails
  arrivals: Arrivals
  digests: Digests
  gateWindows: GateWindows
  events: TrackedEvents
  inboxes: Inboxes
  catchUps: CatchUps
  deliveries: DeliveryHistory
  campaigns: Campaigns
  names: Names
  funnels: Funnels
  reports: Reports
  retention: Retention
  eventNames: EventNames
  doubts: Doubts
  sendRules: SendRules
}

/** An open store: its ports, and what is said of the store itself. */
export interface Stores extends Ports {
  /** Random text of this store; a restored store gets another. */
  epoch: string
  /** Engine and driver, for the start-up line. */
  engine: string
  /** The highest id that an earlier process may have used. */
  idFloor: number
  /** The number of this node among those that share the store, 0 to 30; it may change after an outage. */
  nodeNumber?(): number
  /** @throws when the store cannot be read */
  ping(): Promise<void>
  /** Finishes waiting work, then closes. */
  close(): Promise<void>
}

/** Receives measurements of an engine's work, for the metrics; durations in ms. */
export interface StoreWatch {
  /** Called for each statement that reads. */
  onRead(tookMs: number): void
  /** `waitedMs`: time of the oldest plan in the queue; `tookMs`: from then until its durable answer. */
  onBatch(batch: { plans: number; waitedMs: number; tookMs: number }): void
}

// Declares the core: the parts that the whole service shares. A factory names in its signature which of them it takes.

import type { Clock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'
import type { Sealer } from '../lib/seal.ts'
import type { Bus } from './bus.ts'
import type { CommitPlan } from './commit-plan.ts'
import type { Connectors } from './connector/connector.ts'
import type { RecordDoubt } from './doubt.ts'
import type { LearnEvent } from './event-names.ts'
import type { InHand } from './in-hand.ts'
import type { MailComposer } from './mail/compose-mail.ts'
import type { MailProviders } from './mail/mail-provider.ts'
import type { Ports } from './stores.ts'
import type { Regions } from './tenant/region.ts'
import type { Traces } from './traces.ts'

/** One id source for each kind of row. */
export type Ids = Record<IdKind, IdSource>

export interface Core extends Ports {
  clock: Clock
  log: Log
  bus: Bus
  ids: Ids
  /** The address for browsers and platforms, with a path behind a proxy that cuts it; known once the edge listens. */
  publicUrl(): string
  /** The region of this deployment, and the addresses of the others. */
  regions: Regions
  /** Seals a value under the first master key. */
  seal: Sealer['seal']
  /** Opens a sealed value. */
  open: Sealer['open']
  /** Commits a plan, and publishes the inboxes that it changed. */
  commitPlan: CommitPlan
  recordDoubt: RecordDoubt
  learnEvent: LearnEvent
  /** Marks claimed work while it is evaluated. */
  inHand: InHand
  mailProviders: MailProviders
  /** Composes a mail, with the layout of a config around its content. */
  compose: MailComposer['compose']
  /** The platforms from which sources receive events. */
  connectors: Connectors
  /** Undefined where no collector is configured. */
  traces?: Traces | undefined
}

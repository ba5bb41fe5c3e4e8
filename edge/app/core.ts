// Declares what the app is made from, and the core with which all its parts are wired.

import type { FindTexts } from '../auth/find-texts.ts'
import type { LinkTokens } from '../auth/link-token.ts'
import type { newSecretValue } from '../auth/new-secret.ts'
import type { PasswordCost } from '../auth/password.ts'
import type { Settings } from '../config.ts'
import type { Core, Ids } from '../domain/core.ts'
import type { InHand } from '../domain/in-hand.ts'
import type { MailProviders } from '../domain/mail/mail-provider.ts'
import type { Stores } from '../domain/stores.ts'
import type { Traces } from '../domain/traces.ts'
import type { MailFiles } from '../email/mail-files.ts'
import type { CountDoubts } from '../flow/doubts/count-doubts.ts'
import type { LearnEvents } from '../flow/event-names/learn-events.ts'
import type { MailPauses } from '../flow/mail/send-mails.ts'
import type { RetentionWatch } from '../flow/retention/retention-watch.ts'
import type { Site } from '../http/kernel/http.ts'
import type { LoadLimits } from '../http/limits/load-shedding.ts'
import type { Metrics } from '../http/site/metrics.ts'
import type { Clock } from '../lib/clock.ts'
import { createIdSource, ID_PREFIXES, type IdKind } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'
import type { GuardedFetch, GuardedFetchDeps } from '../lib/outbound/guarded-fetch.ts'
import type { Sealer } from '../lib/seal.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Space } from '../stores/disk/disk-guard.ts'

/** Dependencies of `createApp`. */
export interface AppDeps {
  settings: Settings
  stores: Stores
  masterKeys: Uint8Array[]
  clock: Clock
  log: Log
  metrics: Metrics
  inHand: InHand
  /** Undefined where no collector is configured. */
  traces?: Traces | undefined
  /** The address for browsers; known once the edge listens. */
  publicUrl(): string
  version: string
  site?: Site | undefined
  /** Free bytes inside the files of the store, usable by new rows. */
  reusableBytes(): Promise<number>
  /** Replaces the file system's report of its free space. */
  probeDisk?: (() => Promise<Space>) | undefined
  /** Replaces name resolution and dialling of the system, for calls to enrichers. */
  outbound?: Pick<GuardedFetchDeps, 'resolve' | 'dial'> | undefined
  /** Replaces the name servers of the system, for the records that prove domains. */
  findTexts?: FindTexts | undefined
  /** Replaces the providers of mail. */
  mailProviders?: MailProviders | undefined
  /** Replaces `LOAD_LIMITS`. */
  loadLimits?: Partial<LoadLimits> | undefined
  /** Milliseconds that the rate limits wait for Redis, in place of the default. */
  countTimeoutMs?: number | undefined
  /** Replaces the pauses between attempts to send a mail. */
  mailPausesMs?: MailPauses | undefined
  /** Replaces the cost of password hashes. */
  passwordCost?: PasswordCost | undefined
  /** Folder of the built widget. */
  widgetDist: string
  /** Folder of the built dashboard. */
  dashboardDist: string
}

/** The core of the service, with what the app alone uses: settings, what replaces parts of it, and what is closed with it. */
export interface AppCore extends Core, Omit<AppDeps, 'mailProviders' | 'findTexts'> {
  sealer: Sealer
  /** The region in this deployment's keys. */
  region: string
  newSecretValue: typeof newSecretValue
  findTexts: FindTexts
  sandbox: Sandbox
  mailFiles: MailFiles
  /** Removes the files of mails whose rows are gone. */
  sweepMailFiles: MailFiles['sweep']
  linkTokens: LinkTokens
  /** Calls of mail, on connections of its own: mails must not wait for enrichers. */
  mailOutbound: GuardedFetch
  countDoubts: CountDoubts
  learnEvents: LearnEvents
  retentionWatch: RetentionWatch
}

/** Creates one id source per kind. No source repeats an id of an earlier process. */
export function createIds(clock: Clock, { idFloor, nodeNumber }: Pick<Stores, 'idFloor' | 'nodeNumber'>): Ids {
  const kinds = Object.keys(ID_PREFIXES) as IdKind[]
  const sources = kinds.map((kind) => {
    const source = createIdSource(clock, nodeNumber)
    source.raise(idFloor)
    return [kind, source] as const
  })
  return Object.fromEntries(sources) as Ids
}

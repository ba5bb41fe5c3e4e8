// What all parts of the app are wired from.

import type { Settings } from '../config.ts'
import type { Bus } from '../domain/bus.ts'
import type { Stores } from '../domain/stores.ts'
import type { Site } from '../http/http.ts'
import type { AdmissionLimits } from '../http/limits/admission.ts'
import type { Metrics } from '../http/site/metrics.ts'
import type { Clock } from '../lib/clock.ts'
import { createIdSource, ID_PREFIXES, type IdKind, type IdSource } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'
import type { GuardedFetchDeps } from '../lib/outbound/guarded-fetch.ts'
import type { Space } from '../stores/disk/disk-guard.ts'

export interface AppDeps {
  settings: Settings
  stores: Stores
  masterKeys: Uint8Array[]
  clock: Clock
  log: Log
  metrics: Metrics
  /** How browsers reach this edge; known once it listens. */
  publicUrl(): string
  version: string
  site?: Site | undefined
  /** Bytes inside the store's files that new rows can take. */
  reusableBytes(): Promise<number>
  /** In place of the file system's own word on its free space. */
  probeDisk?: (() => Promise<Space>) | undefined
  /** Resolves and dials in place of the system, for calls to enrichers. */
  outbound?: Pick<GuardedFetchDeps, 'resolve' | 'dial'> | undefined
  /** In place of `ADMISSION_LIMITS`. */
  admission?: Partial<AdmissionLimits> | undefined
  /** How long Redis is waited for when calls are counted, in place of the counter's own patience. */
  countPatienceMs?: number | undefined
  /** Folder of the built widget. */
  widgetDist: string
}

export type Ids = Record<IdKind, IdSource>

export interface Core extends AppDeps {
  bus: Bus
  ids: Ids
}

/** One source per kind; none hands out what an earlier process may have. */
export function createIds(clock: Clock, { idFloor, nodeNumber }: Pick<Stores, 'idFloor' | 'nodeNumber'>): Ids {
  const kinds = Object.keys(ID_PREFIXES) as IdKind[]
  const sources = kinds.map((kind) => {
    const source = createIdSource(clock, nodeNumber)
    source.raise(idFloor)
    return [kind, source] as const
  })
  return Object.fromEntries(sources) as Ids
}

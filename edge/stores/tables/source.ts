// Describes the tables of sources, of their deliveries and of what is run again.

import type { HmacSettings } from '../../../contract/resources/hmac-settings.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import type { ConnectorPlatform, DeliveryOutcome } from '../../../contract/tenant.ts'
import type { NewDeliveryRun, RunProgress } from '../../domain/connector/delivery-run.ts'
import type { KeptHeaders } from '../../domain/connector/kept-headers.ts'
import type { NumberedDelivery, Source, SourceCounts, SourceState } from '../../domain/connector/source.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { boolean, type ColumnsOf, integer, json, jsonText, namesOf, orNull, table, text, textOf } from './table.ts'

/** Columns that a change may write. */
const changing = {
  name: text(),
  isPaused: boolean(),
  mappings: json<SourceMapping[]>(),
  requireV3: boolean('require_v3'),
  allowUnsignedBatchTail: boolean(),
  settings: orNull(json<HmacSettings>()),
  updatedAt: integer(),
}

const source = {
  id: integer(),
  environmentId: integer(),
  publicId: text(),
  provider: textOf<ConnectorPlatform>(),
  createdAt: integer(),
  revision: integer(),
  ...changing,
} satisfies ColumnsOf<Revised<Source>>

const counts = {
  accepted: integer(),
  duplicates: integer(),
  refused: integer(),
  unreadable: integer(),
  dropped: integer(),
} satisfies ColumnsOf<SourceCounts>

const state = {
  lastReceivedAt: orNull(integer()),
  lastErrorAt: orNull(integer()),
  lastError: orNull(text()),
} satisfies ColumnsOf<Omit<SourceState, 'counts'>>

export const SOURCE = table('source', {
  ...source,
  ...state,
  ...counts,
  /** The number of the newest delivery. */
  lastDelivery: integer(),
})

export const SOURCE_FIELDS = namesOf(source)
export const SOURCE_CHANGING = namesOf(changing)
export const SOURCE_STATE = namesOf(state)
export const SOURCE_COUNTS = namesOf(counts)

const delivery = {
  number: integer(),
  at: integer(),
  deliveryId: orNull(text()),
  type: orNull(text()),
  outcome: textOf<DeliveryOutcome>(),
  eventId: orNull(integer()),
  reason: orNull(text()),
} satisfies ColumnsOf<NumberedDelivery>

/** A ring: a delivery replaces the one that has its place. */
export const SOURCE_DELIVERY = table('source_delivery', {
  environmentId: integer(),
  sourceId: integer(),
  place: integer(),
  ...delivery,
})

export const DELIVERY_FIELDS = namesOf(delivery)

const begun = {
  sourceId: integer(),
  environmentId: integer(),
  jobId: integer(),
  from: integer('from_at'),
  to: integer('to_at'),
  outcome: orNull(textOf<DeliveryOutcome>()),
  /** Of its begin, so that a part that runs twice gives the same events. */
  mappings: json<SourceMapping[]>(),
  correlationId: text(),
  deliveries: integer(),
  pace: orNull(integer()),
  startedAt: integer(),
} satisfies ColumnsOf<NewDeliveryRun>

const progress = {
  done: integer(),
  accepted: integer(),
  refused: integer(),
  endedAt: orNull(integer()),
} satisfies ColumnsOf<Omit<RunProgress, 'after'>>

/** Has the last run of each source. */
export const SOURCE_RUN = table('source_run', {
  ...begun,
  ...progress,
  /** With `afterBody` the last body that was run. */
  afterAt: orNull(integer()),
  afterBody: orNull(text()),
  stoppedAt: orNull(integer()),
})

export const SOURCE_BODY = table('source_body', {
  sourceId: integer(),
  bodyId: text(),
  environmentId: integer(),
  at: integer(),
  /** Of body and headers. */
  bytes: integer(),
  body: text(),
  headers: orNull(jsonText<KeptHeaders>()),
})

export const SOURCE_BODY_ITEM = table('source_body_item', {
  sourceId: integer(),
  bodyId: text(),
  place: integer(),
  deliveryId: text(),
  environmentId: integer(),
  userId: orNull(text()),
  outcome: textOf<DeliveryOutcome>(),
  at: integer(),
})

// Defines the port of a connector: it verifies a delivery of a platform, and reads its items.

import type { IncomingHttpHeaders } from 'node:http'
import type { HmacSettings } from '../../../contract/resources/hmac-settings.ts'
import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import type { ExternalId, ProfileChange } from '../user.ts'

/** A delivery as it arrived. */
export interface ConnectorCall {
  method: string
  /** The public address that the platform called: that of `PUBLIC_URL`, with the path and the query as they arrived. */
  url: string
  /** By lower-case name, as node has them. */
  headers: IncomingHttpHeaders
  body: Buffer
  /** Epoch ms. */
  now: number
}

/** Choices of one source about how its deliveries are verified. */
export interface SourceChecks {
  /** HubSpot: deliveries signed by the former schemes are refused. */
  requireV3: boolean
  /** Segment: the items after the first of a batch, which the signature does not cover, are taken too. */
  allowUnsignedBatchTail: boolean
  /** Of the provider `hmac`: how its deliveries are signed; null of every other. */
  settings: HmacSettings | null
}

/** `reason` and `warning` are one line for the log and for tests; the answer is the same for each reason. */
export type SignatureVerdict = { ok: true; warning?: string } | { ok: false; reason: string }

/** What the verification of a call compares; null where the call lacks it, or where it would tell the secret. */
export interface SignatureParts {
  /** The signatures of the header. */
  received: string[]
  expected: string | null
  /** What is signed. */
  signed: Buffer | null
  /** As the call has it. */
  timestamp: string | null
}

/** One item of a delivery, as a tracked event before the source's mappings. */
export interface DeliveredItem {
  /** Equal when the platform sends the item again; `sha256:` and a hash of the item where it names none. */
  deliveryId: string
  /** The platform's own type, such as `invoice.paid`; of a track call, its event's name. */
  type: string
  /** The event's name without a mapping: `stripe.invoice.paid`; of a track call of Segment, its own name. */
  name: string
  /** The item as the platform sent it: the root of the mappings' paths. */
  payload: unknown
  /** The paths that hold where no mapping names one, tried in this order; `external:<system>:<path>` is a look-up. */
  userIdPaths: readonly string[]
  /** Empty: the whole item. */
  propertiesPath: string
  /** Epoch ms; undefined: the time of receipt. */
  occurredAt: number | undefined
  /** Traits of an `identify`, all of them; null for every other item. Which are written, the mapping says. */
  traits: Record<string, unknown> | null
  /** The id of the user at the platform, of items that say who that is: it is added to the user's external ids. */
  externalId?: ExternalId | undefined
}

export interface ReadDelivery {
  items: DeliveredItem[]
  /** Items that the signature does not cover, and that were left out. */
  unsigned: number
}

export interface Connector {
  /** Sensible mappings of a new source. */
  defaultMappings: readonly SourceMapping[]
  /** Verifies the call over its raw bytes, in constant time. @param secret A live value of the source's secret */
  verify(call: ConnectorCall, secret: string, checks: SourceChecks): SignatureVerdict
  /** Shows what `verify` compares, for a trial; absent where a platform's scheme is fixed. */
  examine?(call: ConnectorCall, secret: string, checks: SourceChecks): SignatureParts
  /** @throws ApiError `request/invalid-body` for a signed body that is no delivery */
  read(call: ConnectorCall, checks: SourceChecks): ReadDelivery
}

export type Connectors = Readonly<Record<ConnectorPlatform, Connector>>

/** An item after the mapping. */
export interface MappedEvent {
  deliveryId: string
  type: string
  /** Inside the grammar of event names. */
  name: string
  /** Null: none was found, and the event ends `no-user`. */
  userId: string | null
  properties: Record<string, unknown>
  occurredAt: number | undefined
  /** A merge into the user's profile; null: none. */
  profile: ProfileChange | null
  /** Why the mapping could not read the item, in one line; null: it could. The event is kept all the same. */
  reason: string | null
  /** Why the mapping leaves the item out; null: it does not. */
  dropped: string | null
  /** The topic that the user joins; null: none. */
  joinTopic: string | null
}

// Defines bodies of deliveries as they came, kept for a week so that they can be read and run again, and their store.

import type { DeliveryOutcome } from '../../../contract/tenant.ts'
import type { KeptHeaders } from './kept-headers.ts'

export const BODIES_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Bytes of bodies that an environment keeps: the oldest go first. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** An item of a body, by its id at the platform. */
export interface BodyItem {
  deliveryId: string
  userId: string | null
  outcome: DeliveryOutcome
}

export interface DeliveryBody {
  sourceId: number
  environmentId: number
  /** The hash of the body and of what its items are: an equal body with other ids in its headers is another one. */
  bodyId: string
  /** Epoch ms. */
  at: number
  body: string
  /** Without credentials. */
  headers: KeptHeaders | null
  items: BodyItem[]
}

export type KeptBody = Pick<DeliveryBody, 'bodyId' | 'at' | 'body' | 'headers' | 'items'>

/** Bodies of a time. */
export interface BodyRange {
  /** Epoch ms, both inclusive. */
  from: number
  to: number
  /** Items of this outcome alone; null: all. */
  outcome: DeliveryOutcome | null
}

/** A page of a time, oldest first. */
export interface BodyQuery extends BodyRange {
  after: Pick<DeliveryBody, 'at' | 'bodyId'> | null
  limit: number
}

export interface DeliveryBodies {
  /** What is known of an item of the body stays when it only came again. */
  keep(bodies: DeliveryBody[]): Promise<void>
  /** Removes the oldest bodies of the environment beyond so many bytes. */
  trim(environmentId: number, maxBytes: number): Promise<void>
  /** Forgets bodies older than `before` (epoch ms). */
  purge(before: number): Promise<void>
  /** The newest body that brought the item other than as a repeat, with this item alone. */
  find(environmentId: number, sourceId: number, deliveryId: string): Promise<KeptBody | undefined>
  /** A page of large bodies has fewer than `limit`, but never none while one is left. */
  listPage(environmentId: number, sourceId: number, query: BodyQuery): Promise<KeptBody[]>
  /** How many items there are. */
  countItems(environmentId: number, sourceId: number, range: BodyRange): Promise<number>
}

// Defines the messages between the main thread and the writer thread: one for a batch, one for its result.

import { ApiError } from '../../lib/api-error.ts'
import { type Packed, packOutcomes, unpackOutcomes } from '../codec/outcome-codec.ts'
import { packPlans, unpackPlans } from '../codec/plan-codec.ts'
import type { Values } from '../codec/record-codec.ts'
import type { Batch, BatchResult, Settled } from '../sql/commit/run-batch.ts'
import type { DriverName } from './driver.ts'

/** The start data of the threads. */
export interface SqliteThreadData {
  path: string
  driver: DriverName
  storeEpoch: string
  /** The number of the node. */
  slot: number
  /** The descriptor of the store's file, for `fdatasync` of checkpoints; it is closed after all connections. */
  file: number
  /** Shared integers: see `SIGNAL`. */
  signal: SharedArrayBuffer
}

/** Indexes of the shared integers: number of commits, 1 to stop checkpoints, state of the log restart (`RESTART`). */
export const SIGNAL = { commits: 0, stop: 1, restart: 2 } as const
export const SIGNAL_BYTES = 4 * Object.keys(SIGNAL).length

/** States of the log restart: requested by the checkpoint thread, done by the writer between two batches. */
export const RESTART = { none: 0, requested: 1, underWay: 2 } as const

export type ToWriter = PackedBatch | 'close'
export type FromWriter = 'ready' | PackedResult

/** `plans` by `packPlans`. */
export interface PackedBatch extends Omit<Batch, 'plans'> {
  plans: Values
}
/** `plans` by `packOutcomes`. */
export interface PackedResult {
  writes: Packed<unknown>[]
  plans: Values
}

export function packBatch({ writes, plans, now }: Batch): PackedBatch {
  return { writes, plans: packPlans(plans), now }
}

export function unpackBatch({ writes, plans, now }: PackedBatch): Batch {
  return { writes, plans: unpackPlans(plans), now }
}

/** Packs a result; errors become their texts, because an ApiError cannot be sent between threads. */
export function packResult(result: BatchResult, isStoreFault: (error: unknown) => boolean): PackedResult {
  const pack = <T>(settled: Settled<T>): Packed<T> =>
    'value' in settled ? settled : { message: settled.error.message, unavailable: isStoreFault(settled.error) }
  return { writes: result.writes.map(pack), plans: packOutcomes(result.plans.map(pack)) }
}

/** Unpacks a result; a fault of the store becomes ApiError `service/unavailable`. */
export function unpackResult(packed: PackedResult): BatchResult {
  const unpack = <T>(piece: Packed<T>): Settled<T> => ('value' in piece ? piece : { error: toError(piece) })
  return { writes: packed.writes.map(unpack), plans: unpackOutcomes(packed.plans).map(unpack) }
}

function toError({ message, unavailable }: { message: string; unavailable: boolean }): Error {
  const cause = new Error(message)
  return unavailable ? new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause }) : cause
}

// What passes between the main thread and the writer thread: one message for a batch, one for its answer.

import { ApiError } from '../lib/api-error.ts'
import type { Batch, BatchResult, Settled } from './sql/commit/run-batch.ts'
import type { DriverName } from './sqlite-driver.ts'
import { type Packed, packOutcomes, unpackOutcomes } from './wire/outcome-wire.ts'
import { packPlans, unpackPlans, type Values } from './wire/plan-wire.ts'

/** How the threads are started. */
export interface SqliteThreadData {
  path: string
  driver: DriverName
  storeEpoch: string
  /** Of the store's file, by which the checkpoints sync it; open for longer than any connection. */
  file: number
  /** Shared words: see `SIGNAL`. */
  signal: SharedArrayBuffer
}

/**
 * Words of the shared signal: commits so far (any number that changes), 1 once the checkpoints must end, and how it stands with
 * the log's new beginning (`RESTART`).
 */
export const SIGNAL = { commits: 0, stop: 1, restart: 2 } as const
export const SIGNAL_BYTES = 4 * Object.keys(SIGNAL).length

/** The checkpoints ask for it, the writer does it between two batches. */
export const RESTART = { none: 0, asked: 1, underWay: 2 } as const

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

export function packResult(result: BatchResult, isStoreFault: (error: unknown) => boolean): PackedResult {
  const pack = <T>(settled: Settled<T>): Packed<T> =>
    'value' in settled ? settled : { message: settled.error.message, unavailable: isStoreFault(settled.error) }
  return { writes: result.writes.map(pack), plans: packOutcomes(result.plans.map(pack)) }
}

export function unpackResult(packed: PackedResult): BatchResult {
  const unpack = <T>(piece: Packed<T>): Settled<T> => ('value' in piece ? piece : { error: toError(piece) })
  return { writes: packed.writes.map(unpack), plans: unpackOutcomes(packed.plans).map(unpack) }
}

function toError({ message, unavailable }: { message: string; unavailable: boolean }): Error {
  const cause = new Error(message)
  return unavailable ? new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause }) : cause
}

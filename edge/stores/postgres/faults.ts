// What can be wrong with the database, sorted by what is to be done about it (issue part 3, PostgreSQL gone).

import { ApiError } from '../../lib/api-error.ts'

/** The connection is gone. Whether a COMMIT that was under way took place is not known. */
export class LinkLost extends Error {
  constructor(reason: string) {
    super(`The connection to PostgreSQL is lost: ${reason}.`)
    this.name = 'LinkLost'
  }
}

/** This node may write nothing: another may have its number by now. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this node has run out.')
    this.name = 'LeaseLost'
  }
}

/** The five characters of an error that PostgreSQL answered with, or the system's word for a broken connection. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Two transactions got in each other's way: the same again will do. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error))
}

/** `1 / 0`: how a fence stops all that stands behind it. */
export function isFenced(error: unknown): boolean {
  return codeOf(error) === '22012'
}

// Connection (08, the client's and the system's own words), resources and disk (53), operator, who may also cancel a statement of
// ours, and start-up (57), I/O (58), damage
// (XX), read-only or ended transactions (25006, 25P03), a lock that was not to be had (55P03), conflicts again and again (40).
const STORE_FAULT =
  /^(08|53|57|58|XX|40001|40P01|25006|25P03|55P03|CONNECT|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT)/

/** Faults of the store, not of the plan that met them: no half of a batch fares better. */
export function isStoreFault(error: unknown): boolean {
  if (error instanceof LinkLost || error instanceof LeaseLost) return true
  if (error instanceof ApiError) return error.code === 'service/unavailable'
  return STORE_FAULT.test(codeOf(error))
}

/** A disk of the server has no room for what was to be written. */
export function isFull(error: unknown): error is Error {
  return codeOf(error) === '53100'
}

/** The settings are wrong (password, user, database): waiting would not help. */
export function isRefusal(error: unknown): boolean {
  return /^(28|3D000)/.test(codeOf(error))
}

/** The error for callers: the store's own faults are `service/unavailable`. */
export function toCallerError(error: unknown): Error {
  if (error instanceof ApiError) return error
  if (isFull(error)) return full(error)
  if (isStoreFault(error)) return unavailable(error)
  return error instanceof Error ? error : new Error(String(error))
}

function full(cause: Error): ApiError {
  const message = 'The disk of the store is full: only reads are served.'
  return new ApiError('service/unavailable', { message, reason: 'disk', retryAfterSeconds: 10 }, { cause })
}

export function unavailable(cause?: unknown): ApiError {
  return new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause })
}

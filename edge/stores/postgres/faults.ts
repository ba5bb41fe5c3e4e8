// Classifies errors of PostgreSQL by what the caller must do about them.

import { ApiError } from '../../lib/api-error.ts'

/** The connection is lost. Whether a COMMIT under way took place is unknown. */
export class ConnectionLost extends Error {
  constructor(reason: string) {
    super(`The connection to PostgreSQL is lost: ${reason}.`)
    this.name = 'ConnectionLost'
  }
}

/** This node must not write: another node may have its number by now. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this node has ended.')
    this.name = 'LeaseLost'
  }
}

/** @returns The SQLSTATE of PostgreSQL or the system's code of a connection error; '' when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns whether two transactions conflicted: a retry of the same work succeeds. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error))
}

/** Returns whether the error is a division by zero, which a fence raises to stop the statements after it. */
export function isFenced(error: unknown): boolean {
  return codeOf(error) === '22012'
}

// Connection (08 and the codes of client and system; ENOENT: a socket that is not there), resources and disk (53), operator and start-up (57), I/O (58),
// corrupt data (XX), read-only or ended transactions (25006, 25P03), a lock time-out (55P03), repeated conflicts (40).
const STORE_FAULT =
  /^(08|53|57|58|XX|40001|40P01|25006|25P03|55P03|CONNECT|ECONN|EPIPE|EHOST|ENET|ENOTFOUND|ENOENT|EAI_|ETIMEDOUT)/

/** Returns whether the store is at fault and not the plan: halving the batch would not help. */
export function isStoreFault(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof LeaseLost) return true
  if (error instanceof ApiError) return error.code === 'service/unavailable'
  return STORE_FAULT.test(codeOf(error))
}

/** Returns whether the server's disk is full. */
export function isFull(error: unknown): error is Error {
  return codeOf(error) === '53100'
}

/** Returns whether the login is refused (password, user, database): a retry would not help. */
export function isRefusal(error: unknown): boolean {
  return /^(28|3D000)/.test(codeOf(error))
}

/** Converts an error for callers: faults of the store become `service/unavailable`. */
export function toCallerError(error: unknown): Error {
  if (error instanceof ApiError) return error
  if (isFull(error)) return diskFull(error)
  if (isStoreFault(error)) return unavailable(error)
  return error instanceof Error ? error : new Error(String(error))
}

function diskFull(cause: Error): ApiError {
  const message = 'The disk of the store is full: only reads are served.'
  return new ApiError('service/unavailable', { message, reason: 'disk', retryAfterSeconds: 10 }, { cause })
}

/** Creates the error for callers while the store cannot be used; retry after 1 s. */
export function unavailable(cause?: unknown): ApiError {
  return new ApiError('service/unavailable', { retryAfterSeconds: 1 }, { cause })
}

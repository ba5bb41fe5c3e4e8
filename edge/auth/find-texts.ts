// Reads TXT records, by which organisations prove their domains, from the name servers of the system.

import { Resolver } from 'node:dns/promises'
import { ApiError } from '../lib/api-error.ts'

export type FindTexts = (name: string) => Promise<string[]>

export interface FindTextsOptions {
  /** In place of the system's. */
  servers?: readonly string[]
  /** For one question. */
  timeoutMs?: number
}

const TIMEOUT_MS = 2000
const TRIES = 2
/** The name does not exist, or has no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** @returns A function that throws `service/unavailable` when no name server answers: that proves nothing. */
export function createFindTexts({ servers, timeoutMs = TIMEOUT_MS }: FindTextsOptions = {}): FindTexts {
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      // A long text comes in several parts.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (ABSENT.has(code)) return []
      const message = `The name servers do not answer (${code}). Try again later.`
      throw new ApiError('service/unavailable', { message, reason: 'dns-unreachable' }, { cause: error })
    }
  }
}

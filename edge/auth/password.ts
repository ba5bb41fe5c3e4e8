// Hashes passwords with scrypt and verifies them, a few at a time, because each takes 32 MiB and a thread.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../lib/api-error.ts'

/** Parameters of scrypt. */
export interface PasswordCost {
  N: number
  r: number
  p: number
}

/** One of the equivalent settings that OWASP recommends; it needs the least memory above 16 MiB. */
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
/** The cost of hashes of the form `scrypt$<salt>$<hash>`, which earlier versions wrote. */
const FORMER_COST: PasswordCost = { N: 2 ** 14, r: 8, p: 1 }
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Two of the four threads of libuv, which files and names need as well. */
const MAX_RUNNING = 2
const MAX_WAITING = 50

export interface Passwords {
  /** @returns `scrypt$<N>$<r>$<p>$<salt>$<hash>`, salt and hash as base64url. @throws ApiError `service/unavailable`. */
  hash(password: string): Promise<string>
  /**
   * Takes the same time for an unknown account (`stored` undefined) and one without a password (empty), which no password
   * matches.
   * @throws ApiError `service/unavailable` when too many wait.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

/** @param ownCost The cost of new hashes; a stored hash names its own. */
export function createPasswords(ownCost = COST): Passwords {
  const takeSlot = createSlots()
  const salt = randomBytes(SALT_BYTES)

  async function derive(password: string, salted: Buffer, cost: PasswordCost): Promise<Buffer> {
    const release = await takeSlot()
    // The same password may be typed in composed or decomposed characters.
    return scryptOf(password.normalize('NFKC'), salted, { ...cost, maxmem: MAX_MEMORY_BYTES }).finally(release)
  }

  return {
    async hash(password) {
      const own = randomBytes(SALT_BYTES)
      const hash = await derive(password, own, ownCost)
      const { N, r, p } = ownCost
      return ['scrypt', N, r, p, own.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async verify(password, stored) {
      const parsed = stored === undefined || stored === '' ? undefined : parseHash(stored)
      const hash = await derive(password, parsed?.salt ?? salt, parsed?.cost ?? ownCost)
      return parsed !== undefined && hash.length === parsed.hash.length && timingSafeEqual(hash, parsed.hash)
    },
  }
}

/** @throws Error for a text that `hash` did not write. */
function parseHash(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const parts = stored.split('$')
  const [salt = '', hash = ''] = parts.slice(-2)
  const [N = 0, r = 0, p = 0] = parts.slice(1, -2).map(Number)
  const cost = parts.length === 3 ? FORMER_COST : { N, r, p }
  const isKnown = parts[0] === 'scrypt' && (parts.length === 3 || parts.length === 6)
  if (!isKnown || hash === '') throw new Error('stored password hash unknown: its form')
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

function scryptOf(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error === null ? resolve(hash) : reject(error)))
  })
}

/** @returns A function that waits for a slot and returns its release. */
function createSlots(): () => Promise<() => void> {
  let running = 0
  const waiting: (() => void)[] = []
  function release(): void {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
  return async () => {
    if (running < MAX_RUNNING) running++
    else if (waiting.length >= MAX_WAITING) {
      throw new ApiError('service/unavailable', { message: 'Too many sign-ins at the moment. Try again shortly.' })
    } else await new Promise<void>((resolve) => waiting.push(resolve))
    return release
  }
}

// Makes people with a second factor, and the codes of their authenticator apps.

import { Secret, TOTP } from 'otpauth'
import type { Role } from '../../../contract/role.ts'
import { type DashboardPerson, type givenDashboard, PASSWORD } from './given-dashboard.ts'

const STEP_MS = 30_000

/** Returns the code of a secret (base32) at an instant (epoch ms). */
export const codeAt = (secret: string, at: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

export interface Protected {
  person: DashboardPerson
  secret: string
  recoveryCodes: string[]
  /** Returns a code that was not used yet: of the present step, or of the next one. */
  nextCode(): string
}

/** Joins with a second factor. Of the three steps whose codes are accepted, confirming uses the earliest. */
export async function joinProtected(
  dashboard: ReturnType<typeof givenDashboard>,
  org: string,
  email: string,
  role: Role = 'editor',
): Promise<Protected> {
  const person = await dashboard.join(org, email, role)
  const begun = await person.call<{ secret: string }>('POST', '/v1/dashboard/auth/totp', {
    body: { password: PASSWORD },
  })
  const { secret } = begun.body
  const earliest = () => Math.floor(Date.now() / STEP_MS) - 1
  let used = 0
  const nextCode = () => {
    used = Math.max(used + 1, earliest())
    return codeAt(secret, used * STEP_MS)
  }
  for (;;) {
    const confirmed = await person.call<{ recoveryCodes: string[] }>('POST', '/v1/dashboard/auth/totp/confirm', {
      body: { code: nextCode() },
    })
    const { recoveryCodes } = confirmed.body
    if (confirmed.status === 200) return { person, secret, recoveryCodes, nextCode }
    // The earliest step may end before its code is read.
    if (used >= earliest()) throw new Error(`code refused: ${JSON.stringify(confirmed.body)}`)
  }
}

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

/** Joins with a second factor. The codes of three steps are accepted at any moment; confirming uses the earliest. */
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
  const from = Date.now()
  let used = -1
  const nextCode = () => codeAt(secret, from + used++ * STEP_MS)
  const confirmed = await person.call<{ recoveryCodes: string[] }>('POST', '/v1/dashboard/auth/totp/confirm', {
    body: { code: nextCode() },
  })
  if (confirmed.status !== 200) throw new Error(`code refused: ${JSON.stringify(confirmed.body)}`)
  return { person, secret, recoveryCodes: confirmed.body.recoveryCodes, nextCode }
}

// Wires the first set-up of a new installation.

import { deriveSetUpCode } from '../auth/set-up-code.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createSetUp, type SetUpDeps } from '../flow/people/set-up.ts'
import { isLocalCall } from '../http/dashboard/local-call.ts'
import type { DashboardSetUpDeps } from '../http/dashboard/set-up.ts'
import type { Core } from './core.ts'

interface SetUpParts extends Pick<DashboardSetUpDeps, 'setUp' | 'isLocal'> {
  /** Logs the address with the code, while the set-up is open. */
  announceSetUp(): Promise<void>
}

export function wireSetUp(
  { stores, settings, masterKeys, publicUrl, log, ids, clock }: Core,
  verified: Pick<SetUpDeps, 'hashPassword' | 'issueSession'>,
): SetUpParts {
  const code = deriveSetUpCode(masterKeys, stores.epoch)
  const setUp = createSetUp({ setUps: stores.setUps, ...verified, code, ids, clock })
  return {
    setUp,
    isLocal: (c) => isLocalCall(c, { trustedProxies: settings.trustedProxies, publicUrl }),
    async announceSetUp() {
      const link = linksOf(publicUrl).setUp(code)
      if (await setUp.isOpen()) log.info('no member yet: open the link to set up', { link })
    },
  }
}

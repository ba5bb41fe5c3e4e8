// Wires the first set-up of a new installation.

import { deriveSetUpCode } from '../auth/set-up-code.ts'
import { isOnlyLocal } from '../config.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createSetUp } from '../flow/people/set-up.ts'
import { isLocalCall } from '../http/dashboard/local-call.ts'
import type { Services } from '../http/kernel/services.ts'
import { NC } from '../lib/command-line.ts'
import type { AppCore } from './core.ts'

interface SetUpParts extends Pick<Services, 'setUp' | 'isLocalCall'> {
  /** Logs the address with the code, or the command that prints both, while the set-up is open. */
  announceSetUp(): Promise<void>
  /** @returns The address with the code; undefined once there is a member. */
  findSetUpLink(): Promise<string | undefined>
}

export function wireSetUp(
  core: AppCore,
  verified: Pick<Parameters<typeof createSetUp>[0], 'hashPassword' | 'issueSession'>,
): SetUpParts {
  const { settings, publicUrl, log } = core
  const code = deriveSetUpCode(core.masterKeys, core.stores.epoch)
  const link = () => linksOf(publicUrl).setUp(code)
  const setUp = createSetUp({ ...core, ...verified, code })
  return {
    setUp,
    isLocalCall: (c) => isLocalCall(c, { trustedProxies: settings.trustedProxies, publicUrl }),
    async announceSetUp() {
      if (!(await setUp.isOpen())) return
      // With the code in the log of a reachable server, its readers could become the owner.
      if (isOnlyLocal(settings)) log.info('no member yet: open the link to set up', { link: link() })
      else log.info('no member yet', { reason: `\`${NC} member set-up\` prints the link to set up.` })
    },
    findSetUpLink: async () => ((await setUp.isOpen()) ? link() : undefined),
  }
}

// Opens the flows of people for commands.

import { deriveSetUpCode } from '../auth/set-up-code.ts'
import { hostInUrl, type Settings } from '../config.ts'
import type { MailProviders } from '../domain/mail/mail-provider.ts'
import type { Stores } from '../domain/stores.ts'
import { openAccountMails } from '../email/account-mail.ts'
import { createSendAccountMails } from '../flow/mail/send-account-mails.ts'
import { createInviteMembers } from '../flow/people/invite-members.ts'
import { createMailPeople } from '../flow/people/mail-people.ts'
import { createManageMembers } from '../flow/people/manage-members.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createResetFactor } from '../flow/people/reset-factor.ts'
import { createMakeResetLink } from '../flow/people/reset-password.ts'
import { systemClock as clock } from '../lib/clock.ts'
import type { IdKind, IdSource } from '../lib/id.ts'
import { createLog } from '../lib/log.ts'

/** What the flows of commands are made from. */
export interface OpenedParts {
  settings: Settings
  stores: Stores
  ids: Record<IdKind, IdSource>
  masterKeys: readonly Uint8Array[]
  providers: MailProviders
}

/** The address for browsers, as a server with these settings has it. */
export const publicUrlOf = (settings: Settings) => () =>
  settings.publicUrl ?? `http://${hostInUrl(settings)}:${settings.port}`

export function openPeople(parts: OpenedParts) {
  const { settings, stores, ids, masterKeys, providers } = parts
  const publicUrl = publicUrlOf(settings)
  const { people, oneTimeLinks: links } = stores
  const addresses = linksOf(publicUrl)
  const makeResetLink = createMakeResetLink({ links, people, clock, linkOf: addresses.reset })
  const ports = openAccountMails(settings, providers, publicUrl)
  const log = createLog('silent')
  const mailPeople =
    ports &&
    createMailPeople({
      // The operator waits, and has the link in any case.
      sendAccountMails: createSendAccountMails({ ...ports, pausesMs: [], log }),
      makeResetLink,
      links,
      people,
      organisations: stores.organisations,
      forgotPasswordUrl: addresses.forgotPassword,
      clock,
      log,
    })
  const mail = mailPeople?.invite ?? null
  return {
    mailPeople,
    makeResetLink,
    /** @returns Undefined once there is a member. */
    async findSetUpLink(): Promise<string | undefined> {
      if (await stores.setUps.hasMembers()) return undefined
      return addresses.setUp(deriveSetUpCode(masterKeys, stores.epoch))
    },
    manageMembers: createManageMembers({ people, clock }),
    inviteMembers: createInviteMembers({ links, ids, clock, linkOf: addresses.invitation, mail }),
    resetFactor: createResetFactor({ factors: stores.secondFactors, notify: mailPeople?.notify ?? (() => {}), clock }),
  }
}

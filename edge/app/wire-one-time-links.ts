// Wires invitations and resets: their links go by mail, or where there is no mail server into the log of a loopback server.

import { isOnlyLocal } from '../config.ts'
import type { MailProviders } from '../domain/mail/mail-provider.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { openAccountMails } from '../email/account-mail.ts'
import { createSendAccountMails } from '../flow/mail/send-account-mails.ts'
import { createInviteMembers } from '../flow/people/invite-members.ts'
import { createMailPeople, type MailPeople } from '../flow/people/mail-people.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createMakeResetLink, type MakeResetLink } from '../flow/people/reset-password.ts'
import { createWarnEndings } from '../flow/tenant/warn-endings.ts'
import type { ServerDeps } from '../http/server.ts'
import type { Core } from './core.ts'

export interface OneTimeLinkParts {
  routes: Pick<ServerDeps['dashboard'], 'sendsMail' | 'requestReset' | 'inviteMembers' | 'showLink'>
  notify: NotifyPerson
  makeResetLink: MakeResetLink
  warnEndings(): Promise<unknown>
  /** Ends the mails. */
  close(): Promise<void>
}

export function wireOneTimeLinks(core: Core, providers: MailProviders): OneTimeLinkParts {
  const { stores, clock, ids, settings, log, publicUrl } = core
  const { people, oneTimeLinks: links } = stores
  const addresses = linksOf(publicUrl)
  const makeResetLink = createMakeResetLink({ oneTimeLinks: links, people, clock, linkOf: addresses.reset })
  const mailPeople = wireMailPeople(core, providers, makeResetLink)

  // Without mails: only the operator of a loopback server reads its log; other servers get links by the command line.
  const showsLinks = mailPeople === null && isOnlyLocal(settings)

  async function logReset(email: string, correlationId: string): Promise<void> {
    // A link that nobody can see would only replace one of the command line.
    if (!showsLinks) return log.info('password reset requested', { reason: COMMANDS.reset, correlationId })
    const made = await makeResetLink(email)
    if (made !== undefined) log.info('password reset requested', { link: made.link, correlationId })
  }

  const mail = mailPeople?.invite ?? null
  return {
    routes: {
      sendsMail: mailPeople !== null,
      requestReset(email, correlationId) {
        if (mailPeople !== null) return mailPeople.reset(email, correlationId)
        logReset(email, correlationId).catch((error: unknown) =>
          log.error('password reset failed', { error, correlationId }),
        )
      },
      inviteMembers: createInviteMembers({ oneTimeLinks: links, ids, clock, linkOf: addresses.invitation, mail }),
      showLink(link, correlationId) {
        if (mailPeople === null)
          log.info('invitation created', { ...(showsLinks ? { link } : { reason: COMMANDS.invite }), correlationId })
        return showsLinks
      },
    },
    notify: mailPeople?.notify ?? (() => {}),
    makeResetLink,
    warnEndings: createWarnEndings({
      endingSecrets: stores.endingSecrets,
      mail: mailPeople?.warnOfEnding ?? null,
      linkOf: addresses.secrets,
      onEnding: core.metrics.onSecretsEnding,
      clock,
      log,
    }),
    close: async () => mailPeople?.close(),
  }
}

/** Whoever reads the log of another server, or a copy of it, must not become its people. */
const COMMANDS = {
  reset: 'There is no mail server: `npm run nc -- member reset` prints a link.',
  invite: 'There is no mail server: `npm run nc -- member invite` prints a link.',
}

/** @returns Null without SMTP_URL. */
function wireMailPeople(
  { stores, settings, publicUrl, clock, log, metrics, mailPausesMs }: Core,
  providers: MailProviders,
  makeResetLink: MakeResetLink,
): MailPeople | null {
  const ports = openAccountMails(settings, providers, publicUrl)
  if (ports === null) return null
  return createMailPeople({
    sendAccountMails: createSendAccountMails({
      ...ports,
      pausesMs: mailPausesMs?.accounts,
      log,
      onAnswer: ({ outcome }) => metrics.onMail('smtp', outcome),
    }),
    makeResetLink,
    oneTimeLinks: stores.oneTimeLinks,
    people: stores.people,
    organisations: stores.organisations,
    forgotPasswordUrl: linksOf(publicUrl).forgotPassword,
    clock,
    log,
  })
}

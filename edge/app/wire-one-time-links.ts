// Wires invitations and resets: their links go by mail, or where there is no mail server into the log of a loopback server.

import { isOnlyLocal } from '../config.ts'
import type { CallCounter } from '../domain/limits/call-limits.ts'
import type { NotifyPerson } from '../domain/people/account-change.ts'
import { openAccountMails } from '../email/account-mail.ts'
import { createTellApprovers } from '../flow/campaigns/tell-approvers.ts'
import { createSendAccountMails } from '../flow/mail/send-account-mails.ts'
import { createInviteMembers } from '../flow/people/invite-members.ts'
import { createMailPeople, type MailPeople } from '../flow/people/mail-people.ts'
import { linksOf } from '../flow/people/one-time-address.ts'
import { createMakeResetLink, type MakeResetLink } from '../flow/people/reset-password.ts'
import { createWarnEndings } from '../flow/tenant/warn-endings.ts'
import type { Services } from '../http/kernel/services.ts'
import { NC } from '../lib/command-line.ts'
import type { AppCore } from './core.ts'

export interface OneTimeLinkParts {
  services: Pick<Services, 'sendsMail' | 'requestReset' | 'inviteMembers' | 'showLink'>
  notify: NotifyPerson
  makeResetLink: MakeResetLink
  warnEndings(): Promise<unknown>
  tellApprovers: ReturnType<typeof createTellApprovers>
  /** Ends the mails. */
  close(): Promise<void>
}

/** @param counter Shared by all nodes with Redis. */
export function wireOneTimeLinks(core: AppCore, counter: CallCounter): OneTimeLinkParts {
  const { settings, log } = core
  const addresses = linksOf(core.publicUrl)
  const makeResetLink = createMakeResetLink({ ...core, linkOf: addresses.reset })
  const mailPeople = wireMailPeople(core, makeResetLink)

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
    services: {
      sendsMail: mailPeople !== null,
      requestReset(email, correlationId) {
        if (mailPeople !== null) return mailPeople.reset(email, correlationId)
        logReset(email, correlationId).catch((error: unknown) =>
          log.error('password reset failed', { error, correlationId }),
        )
      },
      inviteMembers: createInviteMembers({ ...core, linkOf: addresses.invitation, mail }),
      showLink(link, correlationId) {
        if (mailPeople === null)
          log.info('invitation created', { ...(showsLinks ? { link } : { reason: COMMANDS.invite }), correlationId })
        return showsLinks
      },
    },
    notify: mailPeople?.notify ?? (() => {}),
    makeResetLink,
    warnEndings: createWarnEndings({
      ...core,
      mail: mailPeople?.warnOfEnding ?? null,
      linkOf: addresses.secrets,
      onEnding: core.metrics.onSecretsEnding,
    }),
    tellApprovers: createTellApprovers({
      ...core,
      counter,
      mail: mailPeople?.askApproval ?? null,
      linkOf: addresses.campaign,
    }),
    close: async () => mailPeople?.close(),
  }
}

/** Whoever reads the log of another server, or a copy of it, must not become its people. */
const COMMANDS = {
  reset: `There is no mail server: \`${NC} member reset\` prints a link.`,
  invite: `There is no mail server: \`${NC} member invite\` prints a link.`,
}

/** @returns Null without SMTP_URL. */
function wireMailPeople(core: AppCore, makeResetLink: MakeResetLink): MailPeople | null {
  const { settings, publicUrl, metrics, mailPausesMs } = core
  const ports = openAccountMails(settings, core.mailProviders, publicUrl)
  if (ports === null) return null
  return createMailPeople({
    ...core,
    sendAccountMails: createSendAccountMails({
      ...core,
      ...ports,
      pausesMs: mailPausesMs?.accounts,
      onAnswer: ({ outcome }) => metrics.onMail('smtp', outcome),
    }),
    makeResetLink,
    forgotPasswordUrl: linksOf(publicUrl).forgotPassword,
  })
}

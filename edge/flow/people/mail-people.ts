// Mails invitations, resets and changes of the sign-in to people. No caller waits for the mail server, and none learns who has an account.

import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { AccountMail } from '../../domain/mail/account-mail.ts'
import type { ApprovalMail } from '../../domain/mail/approval-mail.ts'
import type { NotifyPerson } from '../../domain/people/account-change.ts'
import type { Invitation, InvitationMail } from '../../domain/people/one-time-link.ts'
import type { EndingMail } from '../../domain/tenant/ending-secret.ts'
import type { SendAccountMails } from '../mail/send-account-mails.ts'
import { approvalMail, changeMail, endingMail, invitationMail, resetMail } from './account-mail-texts.ts'
import type { MakeResetLink } from './reset-password.ts'

/** A request within this time of an open reset sends nothing: the mail is on its way, and nobody can flood a person. */
const RESET_KEPT_MS = 2 * 60_000
/** A reset begins at random within this time, so that the pace of later answers tells nothing about the account. */
const RESET_DELAY_MS = 2000

export interface MailPeople {
  /** Mails the link, and records what became of the mail. Never rejects. */
  invite(invitation: Invitation, link: string, by: ChangedBy): Promise<InvitationMail>
  /** Mails a link to the account of an address, if there is one. */
  reset(email: string, correlationId: string): void
  notify: NotifyPerson
  /** Mails an admin that an old value of a secret ends soon. */
  warnOfEnding(mail: EndingMail): void
  /** Mails a person who can approve what another one asks to publish. */
  askApproval(mail: ApprovalMail): void
  /** Makes the attempts in progress the last ones, and waits for them. */
  close(): Promise<void>
}

export function createMailPeople(
  deps: Pick<Core, 'oneTimeLinks' | 'people' | 'organisations' | 'clock' | 'log'> & {
    sendAccountMails: SendAccountMails
    makeResetLink: MakeResetLink
    /** The address of the page that asks for a reset. */
    forgotPasswordUrl(): string
  },
): MailPeople {
  const { oneTimeLinks, organisations, clock, log } = deps
  const { send } = deps.sendAccountMails
  const underWay = new Set<Promise<unknown>>()
  const stopping = new AbortController()

  function keep<T>(task: Promise<T>): Promise<T> {
    underWay.add(task)
    void task.finally(() => underWay.delete(task))
    return task
  }

  async function findLocale(personId: number): Promise<string | undefined> {
    const organisationId = await deps.people.findFirstOrganisation(personId)
    return organisationId === undefined ? undefined : (await organisations.findSettings(organisationId))?.locale
  }

  async function invite(invitation: Invitation, link: string, by: ChangedBy): Promise<InvitationMail> {
    const { organisationId, email: to, role } = invitation
    async function write(): Promise<AccountMail> {
      const organisation = await organisations.find(organisationId)
      const { locale } = (await organisations.findSettings(organisationId)) ?? {}
      const inviter = by.actor === 'dashboard' ? by.who : null
      return invitationMail({ to, link, role, organisation: organisation?.name ?? '', by: inviter }, locale)
    }
    const { correlationId } = by
    const mail = { ...(await send(write, { kind: 'invitation', correlationId })), at: clock.now() }
    await oneTimeLinks
      .recordMail(invitation.id, mail)
      .catch((error: unknown) => log.error('mail of an invitation not recorded', { error, correlationId }))
    return mail
  }

  async function reset(email: string, correlationId: string): Promise<void> {
    await delay(randomInt(RESET_DELAY_MS), undefined, { signal: stopping.signal }).catch(() => {})
    try {
      const made = await deps.makeResetLink(email, RESET_KEPT_MS)
      if (made === undefined) return
      const { account, link } = made
      const write = async () => resetMail({ to: account.email, link }, await findLocale(account.id))
      await send(write, { kind: 'reset', correlationId })
    } catch (error) {
      log.error('password reset failed', { error, correlationId })
    }
  }

  return {
    invite: (...invitation) => keep(invite(...invitation)),
    reset(email, correlationId) {
      void keep(reset(email, correlationId))
    },
    notify({ id, email: to }, change, correlationId) {
      const link = deps.forgotPasswordUrl()
      void keep(
        send(async () => changeMail({ to, change, link }, await findLocale(id)), { kind: change, correlationId }),
      )
    },
    warnOfEnding(mail) {
      void keep(send(async () => endingMail(mail), { kind: 'secret-ending', correlationId: undefined }))
    },
    askApproval(mail) {
      void keep(send(async () => approvalMail(mail), { kind: 'publish-approval', correlationId: undefined }))
    },
    async close() {
      stopping.abort()
      deps.sendAccountMails.stop()
      await Promise.all(underWay)
      await deps.sendAccountMails.close()
    },
  }
}

// Decides to whom a mail goes: its user, and the copies that are not suppressed, within the sandbox of the environment.

import type { EmailSandbox } from '../../../contract/resources/environment.ts'
import type { Core } from '../../domain/core.ts'
import { findWayOut } from '../../domain/mail/email-sandbox.ts'
import type { MailAddress, MailRoute, OutgoingMail } from '../../domain/mail/mail-provider.ts'
import { formatId } from '../../lib/id.ts'
import { spellingsOf } from '../../lib/mail-address.ts'
import type { LoadedMail } from './load-mails.ts'

type Taken = Pick<Core, 'sendRules'> & {
  /** Whether the environment belongs to the demo, whose mails stay in the mailbox. */
  isOfDemo(environmentId: string): Promise<boolean>
}

export type Recipients = Required<Pick<OutgoingMail, 'to' | 'cc' | 'bcc'>>

const NO_SANDBOX: EmailSandbox = { mode: 'off', addresses: [] }

/** A mail in the mailbox reaches nobody. */
const sandboxOn = ({ provider }: MailRoute, { sandbox }: LoadedMail) => (provider === 'mailbox' ? NO_SANDBOX : sandbox)

/** @returns why a mail does not leave the environment by these routes; undefined when it may */
export async function findReasonToStay(
  deps: Taken,
  loaded: LoadedMail,
  routes: readonly MailRoute[],
): Promise<'sandbox' | 'no-provider' | undefined> {
  const { mail, isProduction } = loaded
  const { address = '' } = mail.content.email.to ?? {}
  if (routes.every((route) => findWayOut(sandboxOn(route, loaded), address) === null)) return 'sandbox'
  const isKept = routes.every(({ provider }) => provider === 'mailbox')
  return isKept && isProduction && !(await deps.isOfDemo(formatId('environment', mail.environmentId)))
    ? 'no-provider'
    : undefined
}

/** No address gets a mail twice, which some providers refuse. */
export async function chooseRecipients(
  { sendRules }: Taken,
  loaded: LoadedMail,
  route: MailRoute,
  to: MailAddress,
): Promise<Recipients> {
  const { cc = [], bcc = [] } = loaded.mail.content.email
  const sandbox = sandboxOn(route, loaded)
  if (sandbox.mode === 'redirect') {
    return { to: { ...to, address: findWayOut(sandbox, to.address) ?? to.address }, cc: [], bcc: [] }
  }
  const copies = [...cc, ...bcc]
  if (copies.length === 0) return { to, cc: [], bcc: [] }
  const suppressed = await findSuppressed(sendRules, loaded, copies)
  const seen = new Set<string>([spellingsOf(to.address)[0]])
  const choose = (addresses: readonly string[]): MailAddress[] =>
    addresses.flatMap((address) => {
      const [key] = spellingsOf(address)
      if (seen.has(key) || suppressed.has(address) || findWayOut(sandbox, address) === null) return []
      seen.add(key)
      return [{ name: null, address }]
    })
  return { to, cc: choose(cc), bcc: choose(bcc) }
}

async function findSuppressed(
  sendRules: Taken['sendRules'],
  { mail, isCritical }: LoadedMail,
  copies: readonly string[],
): Promise<Set<string>> {
  // No user has the empty id: only rules of the addresses are found.
  const recipients = copies.map((email) => ({ userId: '', email }))
  const rules = await sendRules.findMany(mail.environmentId, recipients)
  return new Set(
    copies.filter((_, place) =>
      rules[place]?.suppressions.some(({ channel, mayPass }) => channel === 'email' && !(isCritical && mayPass)),
    ),
  )
}

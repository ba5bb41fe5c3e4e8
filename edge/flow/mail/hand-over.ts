// Composes a mail for a route, and hands it to the provider: chooses its recipients, and commits before the provider is asked.

import { TemplateError } from '../../campaign/expression/template.ts'
import type { Core } from '../../domain/core.ts'
import type { ComposeInput, MailComposer } from '../../domain/mail/compose-mail.ts'
import type { MailAnswer } from '../../domain/mail/mail-attempt.ts'
import type { MailAddress, MailRoute, OutgoingMail, SendOutcome } from '../../domain/mail/mail-provider.ts'
import { isUnavailable } from '../../lib/api-error.ts'
import { doubtMail } from '../doubts/mail-doubts.ts'
import type { LoadedFiles } from './attach-files.ts'
import { chooseRecipients } from './choose-recipients.ts'
import { commit } from './commit-mail.ts'
import type { KeepLayout } from './keep-layout.ts'
import { listSenders } from './list-senders.ts'
import { lacksPermit, restRoute, type Sending } from './route-permits.ts'

type Taken = Parameters<typeof restRoute>[0] &
  Parameters<typeof commit>[0] &
  Parameters<typeof chooseRecipients>[0] &
  Pick<Core, 'compose' | 'recordDoubt'> & {
    keepLayout: KeepLayout
    /** Receives each answer of a provider, for the metrics and the state of the integration. */
    onAnswer?(environmentId: number, route: MailRoute, outcome: SendOutcome): void
  }

/** Nobody is asked when the mail cannot be composed, or when the claim has ended meanwhile (`lost`). */
export type Handed =
  | SendOutcome
  | { outcome: 'not-composed'; error: string }
  | { outcome: 'no-files'; error: string }
  | 'lost'
  | 'no-permit'

/** A composed mail, or why nobody is asked. */
type Prepared = { mail: Composed } | { not: Handed }
type Composed = Awaited<ReturnType<MailComposer['compose']>>

/** Composes a mail for a route. @param senders Of all routes: a step may name each of them */
export async function prepareMail(
  deps: Taken,
  loaded: Sending,
  route: MailRoute,
  senders: readonly MailAddress[],
): Promise<Prepared> {
  // The mail may have waited for its slot.
  if (lacksPermit(deps, loaded, route)) return { not: 'no-permit' }
  const { mail, look, links, locale, isCritical } = loaded
  const { tracksEngagement, from } = route
  const to = mail.content.email.to
  if (to === null) return { not: { outcome: 'refused', error: 'The message has no address.' } }
  const { messageId, environmentId, userId, content } = mail
  const input: ComposeInput = {
    messageId,
    environmentId,
    userId,
    content,
    to,
    look,
    links,
    from,
    locale,
    isCritical,
    tracksItself: !tracksEngagement,
  }
  const notComposed = (error: string): Prepared => ({ not: { outcome: 'not-composed', error } })
  let composed: Composed
  try {
    composed = await deps.compose(input)
  } catch (error) {
    // Whatever else fails would fail again: the same content is composed in the same way.
    if (isUnavailable(error)) throw error
    if (!(error instanceof TemplateError)) deps.log.error('mail not composed', { error, environmentId })
    return notComposed(error instanceof Error ? error.message : String(error))
  }
  if (content.email.from !== undefined && !listSenders(look, senders).includes(composed.from.address.toLowerCase())) {
    return notComposed(`${composed.from.address} is a sender neither of the notification config nor of an integration.`)
  }
  doubtMail(deps.recordDoubt, { ...mail, layoutId: look?.layout == null ? null : loaded.configId }, composed)
  return { mail: composed }
}

/**
 * Hands a mail to a provider, under a commit before it.
 * @param load Gives the files of the mail, or what is missing of them
 * @param answered The answer of the provider before, of which the record does not know yet
 */
export async function handOver(
  deps: Taken,
  loaded: Sending,
  route: MailRoute,
  prepared: Prepared,
  load: () => Promise<LoadedFiles>,
  answered: MailAnswer | undefined,
): Promise<Handed> {
  if ('not' in prepared) return prepared.not
  if (lacksPermit(deps, loaded, route)) return 'no-permit'
  const files = await load()
  if ('error' in files) return { outcome: 'no-files', error: files.error }
  const composed = prepared.mail
  const recipients = await chooseRecipients(deps, loaded, route, composed.to)
  return send(deps, loaded, route, { ...composed, ...recipients, attachments: files }, answered)
}

async function send(
  deps: Taken,
  { claim, mail: { environmentId, content }, look, links, isCritical }: Sending,
  route: MailRoute,
  mail: OutgoingMail,
  answered: MailAnswer | undefined,
): Promise<Handed> {
  const { integrationId, provider, from } = route
  const layoutHash = await deps.keepLayout(environmentId, { look: look ?? null, from, isCritical, links })
  const change = { does: 'hand-over', integrationId, provider, layoutHash, ...findRedirect(content, mail) } as const
  const handed = await commit(deps, claim, change, { answered })
  if (handed.mail === 'lost') return 'lost'
  const outcome = await route.sender.send(mail).catch((error): SendOutcome => {
    // The provider may have the mail: what fails here is not known to lie before its answer.
    deps.log.error('mail not sent', { error, environmentId })
    return { outcome: 'unknown', error: error instanceof Error ? error.message : String(error) }
  })
  deps.onAnswer?.(environmentId, route, outcome)
  if (outcome.outcome === 'unavailable') await restRoute(deps, { environmentId, integrationId }, outcome)
  return outcome
}

/** @returns the address of the sandbox, for the record: reports are about that address, and not about the user's */
function findRedirect({ email }: Sending['mail']['content'], { to }: OutgoingMail): { redirectedTo?: string } {
  return to.address === email.to?.address ? {} : { redirectedTo: to.address }
}

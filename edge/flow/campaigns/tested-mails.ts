// Prepares the mails of a test: to one's own address without copies, and with what sending them later needs.

import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { listSteps } from '../../campaign/definition.ts'
import type { StoredDefinition, StoredStep } from '../../domain/campaign.ts'
import type { NewMessage } from '../../domain/plan.ts'

/** A mail to the address of whoever tests goes to nobody else. */
export function withoutCopies(message: NewMessage): NewMessage {
  const { email, ...content } = JSON.parse(message.snapshot) as MessageContent & { email?: MailParts }
  if (email === undefined) return message
  const { cc: _cc, bcc: _bcc, ...own } = email
  return { ...message, snapshot: JSON.stringify({ ...content, email: own }) }
}

/** @returns the definition with the steps of the mails alone, without texts, which are rendered; null without mails */
export function definitionOfMails(
  definition: StoredDefinition,
  messages: readonly NewMessage[],
): StoredDefinition | null {
  const sent = new Set(messages.map(({ stepId }) => stepId))
  const steps = listSteps(definition.steps).filter(({ id, type }) => type === 'email' && sent.has(id))
  return steps.length === 0 ? null : { ...definition, steps: steps.map(withoutTexts) }
}

function withoutTexts(step: StoredStep): StoredStep {
  const { locales: _locales, html: _html, markdown: _markdown, text: _text, ...rest } = step
  return { ...rest, markdown: '-' } as StoredStep
}

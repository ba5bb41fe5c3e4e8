// The step `email`: a mail to the user's address (contract section 6).

import type { EmailStep } from '../campaign.ts'
import type { CompiledEmailStep } from './compiled.ts'
import { compileEmailContent } from './email-content.ts'
import { MAX_KEY_CHARS } from './key.ts'
import type { Reader } from './reader.ts'

/** `inboxSteps`: ids of the inbox steps that stand before this one. */
export function parseEmailStep(reader: Reader, id: string, inboxSteps: ReadonlySet<string>): EmailStep {
  const step: EmailStep = { id, type: 'email', subject: parseSubject(reader) }
  const html = reader.template('html', 'html')
  const markdown = reader.template('markdown', 'markdown')
  if (reader.has('html') && reader.has('markdown')) reader.fault('markdown', 'A mail has html or markdown, not both.')
  else if (!reader.has('html') && !reader.has('markdown')) reader.fault('html', 'A mail needs html or markdown.')
  if (html !== undefined) step.html = html
  if (markdown !== undefined) step.markdown = markdown
  const text = reader.template('text', 'text')
  if (text !== undefined) step.text = text
  const preheader = reader.template('preheader', 'text')
  if (preheader !== undefined) step.preheader = preheader
  const unless = parseUnless(reader, inboxSteps)
  if (unless !== undefined) step.unless = unless
  return step
}

function parseSubject(reader: Reader): string {
  if (!reader.has('subject')) reader.fault('subject', 'This is missing.')
  const subject = reader.template('subject', 'text')
  if (subject?.trim() === '') reader.fault('subject', 'This must not be empty.')
  return subject ?? ''
}

function parseUnless(reader: Reader, inboxSteps: ReadonlySet<string>): EmailStep['unless'] {
  const unless = reader.object('unless')
  if (unless === undefined) return undefined
  const read = unless.text('read', MAX_KEY_CHARS)
  if (read === undefined) return undefined
  if (!inboxSteps.has(read)) unless.fault('read', 'No inbox step of this id stands before this one.')
  return { read }
}

export function compileEmailStep(step: EmailStep): CompiledEmailStep {
  return { type: 'email', id: step.id, content: compileEmailContent(step), unlessRead: step.unless?.read ?? null }
}

// Composes a mail that people look at, by the code that composes it for sending: nothing in it counts.

import type { ComposedMail, MailWarning } from '../../../contract/resources/mail.ts'
import { TemplateError } from '../../campaign/expression/template.ts'
import type { ComposeInput, MailComposer } from '../../domain/mail/compose-mail.ts'
import { ApiError } from '../../lib/api-error.ts'

export type PreviewInput = Omit<ComposeInput, 'messageId' | 'tracksItself' | 'to'>

/**
 * Its links are not tracked, there is no pixel, and the link for unsubscribing leads nowhere.
 * @param refuse Makes the error of a layout that cannot be rendered; default: `campaign/invalid-definition`
 */
export async function composePreview(
  compose: MailComposer['compose'],
  input: PreviewInput,
  refuse: (fault: string) => ApiError = refuseLayout,
): Promise<ComposedMail> {
  try {
    // The recipient is in the envelope alone.
    const to = { name: null, address: '' }
    const mail = await compose({ ...input, to, messageId: 0, tracksItself: false })
    const { subject, preheader, html, text, from, warnings } = mail
    const htmlBytes = Buffer.byteLength(html)
    return { subject, preheader, html, text, from, htmlBytes, warnings: [...warnings, ...findSizeWarnings(htmlBytes)] }
  } catch (error) {
    if (error instanceof ApiError) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw refuse(error instanceof TemplateError ? words : `The mail cannot be composed: ${words}`)
  }
}

/**
 * Composes what is stored already: what a preview refuses is a warning at `path`.
 * @param rename Makes the paths of warnings those of the caller's body
 */
export async function listWarnings(
  preview: () => Promise<ComposedMail>,
  path: string,
  rename: (path: string) => string,
): Promise<MailWarning[]> {
  try {
    const { warnings } = await preview()
    return warnings.map((one) => ({ ...one, path: rename(one.path) }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A busy service says nothing.
    return (error.extra.details ?? []).map(({ message }) => ({ path, line: null, message }))
  }
}

/** Gmail shows the first 102 KB of a mail, and what providers add for their tracking counts as well. */
export const LARGE_BYTES = 90 * 1024

function findSizeWarnings(htmlBytes: number): MailWarning[] {
  if (htmlBytes < LARGE_BYTES) return []
  const message = `The mail has ${Math.round(htmlBytes / 1024)} KB of HTML. Gmail shows the first 102 KB: what follows, and the pixel that counts opens, is cut off.`
  return [{ path: 'html', line: null, message }]
}

function refuseLayout(message: string): ApiError {
  return new ApiError('campaign/invalid-definition', { details: [{ path: 'layout', message }] })
}

// Composes a mail that people look at, by the code that composes it for sending: nothing in it counts.

import type { ComposedMail } from '../../../contract/schemas.ts'
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
    const { subject, preheader, html, text, from } = mail
    return { subject, preheader, html, text, from }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw refuse(error.message)
  }
}

function refuseLayout(message: string): ApiError {
  return new ApiError('campaign/invalid-definition', { details: [{ path: 'layout', message }] })
}

// Declares how a message becomes a mail that can be sent.

import type { MessageContent } from '../../../contract/api.ts'
import type { DoubtKind } from '../../../contract/doubt.ts'
import type { MailWarning } from '../../../contract/resources/mail.ts'
import type { MailFrame } from './mail-frame.ts'
import type { MailAddress, OutgoingMail } from './mail-provider.ts'

export interface ComposeInput extends MailFrame {
  /** Numeric id of the message. For a preview: 0, whose links are left as they are. */
  messageId: number
  /** For a sample that belongs to no environment: `tenantOfOrganisation`. */
  environmentId: number
  userId: string
  content: MessageContent
  to: MailAddress
  /** The sender of the integration or of EMAIL_FROM, where the look names none. */
  from: MailAddress
  /** The user's locale, for the words of the footer; null: English. */
  locale: string | null
  /** Its category cannot be turned off. */
  isCritical: boolean
  /** Own links and pixel: the provider tracks nothing itself, and the config has it on. */
  tracksItself: boolean
}

export interface ComposedMailParts extends OutgoingMail {
  preheader: string | null
  /** What its author should know, such as styles that are not inlined. */
  warnings: MailWarning[]
  /** What the templates of the layout found doubtful; absent when that is nothing. */
  layoutDoubts?: LayoutDoubt[] | undefined
}

/** Plain data, as it comes from a sandbox. */
export interface LayoutDoubt {
  kind: DoubtKind
  what: string
  example: string | null
}

export interface MailComposer {
  /** @throws TemplateError when the layout cannot be rendered */
  compose(input: ComposeInput): Promise<ComposedMailParts>
}

// Describes the table of mails that are kept while no mail server is set.

import type { KeptMail } from '../../domain/mail/mailbox.ts'
import { type ColumnsOf, integer, orNull, table, text } from './table.ts'

export const KEPT_MAIL = table('kept_mail', {
  ...({
    environmentId: integer(),
    messageId: integer(),
    subject: text(),
    html: text(),
    text: text('plain'),
    eml: text(),
    createdAt: integer(),
  } satisfies ColumnsOf<Omit<KeptMail, 'from' | 'to'>>),
  fromName: orNull(text()),
  fromAddress: text(),
  toName: orNull(text()),
  toAddress: text(),
})

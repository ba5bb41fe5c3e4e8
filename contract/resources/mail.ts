// Describes mails: their parts, what previews and publishing say about them, and those that were sent or kept.

import { z } from 'zod'

const textOrNull = z.string().nullable()

/** What the author of a mail should know about it; it is sent all the same. */
export const mailWarning = z.object({
  path: z.string().meta({ description: 'Of the source, such as `html` or `layout`.' }),
  line: z.int().min(1).nullable().meta({ description: 'In that source; null where it is not known.' }),
  message: z.string(),
})
export type MailWarning = z.output<typeof mailWarning>

/** Of a composed mail. */
export const mailFacts = {
  htmlBytes: z.int().meta({ description: 'Size of the HTML in bytes. Gmail cuts mails at 102 KB.' }),
  warnings: z.array(mailWarning),
}

export const mailAddress = z.object({ name: textOrNull, address: z.string() })

export const mailParts = z.object({
  subject: z.string(),
  preheader: textOrNull,
  html: textOrNull,
  markdown: textOrNull,
  text: textOrNull,
  linkMark: z
    .string()
    .optional()
    .meta({ description: "Stands in the parts, in place of the recipient's own links, until the mail is sent." }),
  to: mailAddress.nullable().meta({ description: 'The recipient; null in a preview without an address.' }),
  from: mailAddress.optional().meta({ description: 'The sender that the step names.' }),
  replyTo: z.string().optional(),
  cc: z.array(z.string()).optional(),
  bcc: z.array(z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z
    .array(z.object({ place: z.int(), filename: z.string(), url: textOrNull, contentType: textOrNull }))
    .optional()
    .meta({ description: 'Without `url`: its content is in the step, at this place.' }),
  lang: textOrNull
    .optional()
    .meta({ description: "The locale of the body, of a step with locales; null for the step's own texts." }),
})
/** Exactly one of `html` and `markdown` is set. */
export type MailParts = z.output<typeof mailParts>

/** A composed mail. */
export const composedMail = z
  .object({
    subject: z.string(),
    preheader: textOrNull,
    html: z.string().meta({ description: 'With its layout and inlined styles; links are not tracked.' }),
    text: z.string(),
    from: mailAddress,
    ...mailFacts,
  })
  .meta({ id: 'ComposedMail' })
export type ComposedMail = z.output<typeof composedMail>

export const sentMail = z
  .object({
    ...composedMail.shape,
    to: mailAddress.nullable(),
    configChangedAt: z.iso.datetime().nullable().meta({
      description: 'Set when the layout of that time is not kept, and the notification config was changed since.',
    }),
  })
  .meta({ id: 'SentMail' })
export type SentMailAnswer = z.output<typeof sentMail>

/** A mail that no server took, because none is set. */
export const keptMail = z
  .object({
    messageId: z.string(),
    from: mailAddress,
    to: mailAddress,
    subject: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'KeptMail' })
export type KeptMailAnswer = z.output<typeof keptMail>

export const keptMailDetail = z
  .object({
    ...keptMail.shape,
    html: z.string(),
    text: z.string(),
    eml: z.string().meta({ description: 'The whole mail (RFC 5322).' }),
  })
  .meta({ id: 'KeptMailDetail' })
export type KeptMailDetailAnswer = z.output<typeof keptMailDetail>

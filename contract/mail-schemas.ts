// Declares the parts of a mail, and what previews and publishing say about it beside its content.

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

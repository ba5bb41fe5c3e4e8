// Declares what previews and publishing say about a mail beside its content.

import { z } from 'zod'

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

// Previews the look of a notification config's mails, stored or not, with a mail that has all that Markdown can show.

import type { ComposedMail, MailParts } from '../../../contract/schemas.ts'
import { emptyContent } from '../../campaign/message.ts'
import type { MailComposer } from '../../domain/mail/compose-mail.ts'
import type { MailAddress } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isLocale, parseEmailLook } from '../tenant/parse-config.ts'
import { composePreview } from './compose-preview.ts'

export interface PreviewLayoutDeps {
  compose: MailComposer['compose']
  /** The sender where the config names none. */
  defaultFrom: MailAddress
}

/**
 * `email` is that of a config, `locale` that of the words below the mail.
 * @throws `request/invalid-body` with each fault of the look
 */
export type PreviewLayout = (input: { email?: unknown; locale?: unknown }) => Promise<ComposedMail>

const SAMPLE: MailParts = {
  subject: 'Your order is on its way',
  preheader: 'It arrives tomorrow between 9 and 12.',
  html: null,
  markdown: `# Good news, Ada

Your order **A-1042** has left our warehouse. It arrives tomorrow between 9 and 12.

**[Follow the parcel](https://shop.example/orders/A-1042)**

| Item | Price |
|---|---|
| Monstera | 48.00 |
| Watering can | 19.00 |

> Let the plant rest for a day before you move it.

## Any questions?

- Answer this mail
- Read [our help](https://shop.example/help)
`,
  text: null,
  to: null,
}

export function createPreviewLayout({ compose, defaultFrom }: PreviewLayoutDeps): PreviewLayout {
  return async function previewLayout({ email = {}, locale = null }) {
    if (locale !== null && (typeof locale !== 'string' || !isLocale(locale))) {
      throw invalid('locale', 'This is no locale such as en or pt-BR.')
    }
    const content = { ...emptyContent(null), title: SAMPLE.subject, email: SAMPLE }
    const look = parseEmailLook(email)
    const mail = { environmentId: 0, userId: '', content, look, from: defaultFrom, locale, isCritical: false }
    return composePreview(compose, mail, (message) => invalid('email.layout', message))
  }
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { details: [{ path, message }] })
}

// Previews the look of a notification config's mails, stored or not, with a mail that has all that Markdown can show.

import type { ComposedMail, MailParts, MailWarning } from '../../../contract/resources/mail.ts'
import type { MailLook } from '../../../contract/resources/notification-config.ts'
import { emptyContent } from '../../campaign/message.ts'
import type { Core } from '../../domain/core.ts'
import { frameOf } from '../../domain/mail/mail-frame.ts'
import type { MailAddress } from '../../domain/mail/mail-provider.ts'
import { tenantOfOrganisation } from '../../domain/organisation.ts'
import { NO_LINK_RULES } from '../../domain/tenant/link-rules.ts'
import type { NotificationConfig } from '../../domain/tenant/notification-config.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type CheckLayoutOf, getConfig, requireLayout } from '../tenant/notification-configs.ts'
import { composePreview, listWarnings } from './compose-preview.ts'

type ConfigLook = Pick<NotificationConfig, 'email' | 'siteUrl'>

export type PreviewLayout = ReturnType<typeof createPreviewLayout>

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

/** The locale is that of the words below the mail. Both throw `request/invalid-body` for a look that fails, and BusyError. */
export function createPreviewLayout({
  compose,
  defaultFrom,
  configs,
  checkLayout,
}: Pick<Core, 'compose' | 'configs'> & {
  /** The sender where the config names none. */
  defaultFrom: MailAddress
  checkLayout: CheckLayoutOf
}) {
  function composeSample(
    organisationId: number,
    { email: look, siteUrl }: ConfigLook,
    locale: string | null,
  ): Promise<ComposedMail> {
    const content = { ...emptyContent(null), title: SAMPLE.subject, email: SAMPLE }
    const of = { environmentId: tenantOfOrganisation(organisationId), userId: '', isCritical: false }
    const mail = { ...of, content, ...frameOf({ email: look, siteUrl }, NO_LINK_RULES), from: defaultFrom, locale }
    return composePreview(compose, mail, (message) => invalid('email.layout', message))
  }

  return {
    /** Returns what the author of a stored look should know. A busy service says nothing. */
    async warn(organisationId: number, look: ConfigLook): Promise<MailWarning[]> {
      if (look.email.layout === null) return []
      const preview = () => composeSample(organisationId, look, null)
      return listWarnings(preview, 'email.layout', (path) => `email.${path}`)
    },

    /** Previews a look that need not be stored; `email` is that of a config. */
    async draft(organisationId: number, { email, siteUrl, locale }: MailLook) {
      await requireLayout(checkLayout, organisationId, email)
      return composeSample(organisationId, { email, siteUrl }, locale ?? null)
    },

    /** Previews the look of a stored config. Throws the 404s of `getConfig`. */
    async stored(organisationId: number, configId: string, locale: string | null) {
      return composeSample(organisationId, await getConfig(configs, organisationId, configId), locale)
    },
  }
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { details: [{ path, message }] })
}

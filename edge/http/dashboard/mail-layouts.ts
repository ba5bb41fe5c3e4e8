// Serves the previews of a notification config's mails, and layouts to begin with.

import { z } from '@hono/zod-openapi'
import { localeTag } from '../../../contract/resources/fields.ts'
import { composedMail } from '../../../contract/resources/mail.ts'
import { type MailLook, mailLook } from '../../../contract/resources/notification-config.ts'
import { findConfigFaults } from '../../flow/tenant/find-address-faults.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { DOCUMENTS } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/dashboard/organisations/:org/mail-layouts'
const BASE = { tag: 'Dashboard notification configs', caller: 'member' } as const

const storedQuery = z.object({ locale: localeTag.optional().openapi({ description: 'Of the words below the mail.' }) })

export function addDashboardLayoutRoutes(
  http: Http,
  { previewLayout, startingLayouts }: Pick<Services, 'previewLayout' | 'startingLayouts'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'Read layouts to begin with: the standard one, and one in MJML',
      answer: { status: 200, schema: z.object({ html: z.string(), mjml: z.string() }).openapi('MailLayouts') },
      errors: [],
    },
    async () => startingLayouts(),
  )
  addRoute<'member', MailLook>(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/preview`,
      role: 'editor',
      summary: 'Compose a sample mail with the mail settings of a notification config; stores nothing',
      body: mailLook,
      faults: findConfigFaults,
      ...DOCUMENTS,
      answer: { status: 200, schema: composedMail },
      errors: [],
    },
    (call) => previewLayout.draft(call.membership.organisationId, call.body),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/dashboard/organisations/:org/notification-configs/:configId/mail-preview',
      role: 'viewer',
      summary: 'Compose a sample mail with the mail settings of a notification config as they are stored',
      query: storedQuery,
      answer: { status: 200, schema: composedMail },
      errors: ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'],
    },
    ({ membership, params, query }) =>
      previewLayout.stored(membership.organisationId, params.configId ?? '', query.locale ?? null),
  )
}

// Serves the notification configs of an organisation.

import { z } from '@hono/zod-openapi'
import { byChannel } from '../../../contract/delivery.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { KEY_GRAMMAR, MAX_KEY_CHARS } from '../../../contract/key.ts'
import { mailWarning } from '../../../contract/mail-schemas.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { LAYOUT_FORMATS, QUIET_CHOICES } from '../../../contract/tenant.ts'
import { SITE_URL } from '../../domain/tenant/link-rules.ts'
import type { PreviewLayout } from '../../flow/mail/preview-layout.ts'
import type { ConfigAnswer, ManageConfigs } from '../../flow/tenant/notification-configs.ts'
import { changedByPerson } from '../callers.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../if-match.ts'
import { addRoute } from '../route.ts'
import { type CallHead, DOCUMENTS } from '../route-spec.ts'

export interface DashboardConfigsDeps {
  manageConfigs: ManageConfigs
  previewLayout: PreviewLayout
}

const PATH = '/v1/dashboard/organisations/:org/notification-configs'
const BASE = { tag: 'Dashboard notification configs', caller: 'member' } as const
const NOT_FOUND = ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'] as const

// The flow checks what is only documented here, and collects all faults.
/** Some text on one line. */
const line = z.string().openapi({ maxLength: 200, pattern: '^(?=\\P{Cc}*\\S)\\P{Cc}+$' })
const phrase = z.string().openapi({ minLength: 1, maxLength: 500, pattern: '\\S' })
const form = phrase.optional()
const plural = z.object({ zero: form, one: form, two: form, few: form, many: form, other: phrase })
const texts = z
  .record(z.string(), z.record(z.string(), z.union([phrase, plural])))
  .meta({ propertyNames: { format: 'locale' }, description: 'By locale, then by the name of the text.' })
const accentColor = z.string().openapi({ pattern: '^#[0-9A-Fa-f]{6}$', example: '#3355ff' }).nullable()
const address = z.string().openapi({ format: 'email', maxLength: 320 }).nullable()
const theme = z.enum(['auto', 'light', 'dark'])
const channels = z.object(byChannel(() => z.boolean()))
const quietHours = z
  .enum(QUIET_CHOICES)
  .openapi({ description: 'Of mails in the quiet hours of their user: sent at the end (the default), or never.' })
const tracking = z.object({ opens: z.boolean(), clicks: z.boolean() })
const emailFields = {
  senderName: line.nullable(),
  senderAddress: address,
  replyTo: address,
  senders: z
    .array(z.object({ name: line.nullish(), address: z.string().openapi({ format: 'email', maxLength: 320 }) }))
    .max(50)
    .openapi({
      description: 'Senders that `from` of a step may name, beside `senderAddress` and those of integrations.',
    }),
  logoUrl: z.string().openapi({ format: 'picture', maxLength: 2048 }).nullable().openapi({
    description: 'The picture above mails without a layout: an address, or a path of the site.',
  }),
  accentColor: accentColor.openapi({
    description: 'Of buttons and links of mails without a layout; null: that of the element.',
  }),
  addressLine: line.nullable().openapi({ description: 'The postal address below mails without a layout.' }),
  layout: z
    .string()
    .openapi({ format: 'liquid', maxLength: 512 * 1024, pattern: '\\{\\{-?\\s*content\\s*-?\\}\\}' })
    .nullable()
    .openapi({ description: 'Liquid around each mail, with `{{ content }}` in it.' }),
  layoutFormat: z.enum(LAYOUT_FORMATS),
}

export const siteUrl = z
  .string()
  .openapi({ format: 'site-url', maxLength: 2048, pattern: SITE_URL.source })
  .nullable()
  .openapi({ description: 'The site at which paths in mails begin; null: that of the environment.' })

const configSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    categories: z.array(z.object({ key: z.string(), name: z.string(), critical: z.boolean(), channels, quietHours })),
    widget: z.object({ theme, accentColor, texts }),
    email: z.object({ ...emailFields, tracking }),
    siteUrl,
    revision: z
      .number()
      .int()
      .openapi({ description: 'Rises with each change. The ETag is this number in quotes, for `If-Match`.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('NotificationConfig')

/** Of its layout; saved all the same. */
const savedSchema = configSchema.extend({ warnings: z.array(mailWarning) }).openapi('SavedNotificationConfig')

export const configEmailSchema = z.object({ ...emailFields, tracking: tracking.partial() }).partial()

const configBody = z
  .object({
    name: line,
    categories: z
      .array(
        z.object({
          key: z.string().openapi({ maxLength: MAX_KEY_CHARS, pattern: KEY_GRAMMAR.source }),
          name: line.optional(),
          critical: z.boolean().optional(),
          channels: channels.partial().optional(),
          quietHours: quietHours.optional(),
        }),
      )
      .max(100)
      .optional(),
    widget: z.object({ theme, accentColor, texts }).partial().optional(),
    email: configEmailSchema.optional(),
    siteUrl: siteUrl.optional(),
  })
  .openapi('NotificationConfigContent', { description: 'Absent fields get their defaults.' })

async function answerSaved(call: CallHead<'member'>, layouts: Pick<PreviewLayout, 'warn'>, config: ConfigAnswer) {
  return withEtag(call, { ...config, warnings: await layouts.warn(call.membership.organisationId, config) })
}

export function addDashboardConfigRoutes(http: Http, { manageConfigs, previewLayout }: DashboardConfigsDeps): void {
  addReadRoutes(http, manageConfigs)
  addRoute<'member', JsonObject>(
    http,
    {
      ...BASE,
      method: 'post',
      path: PATH,
      summary: 'Create a notification config; its name is unique in the organisation',
      role: 'editor',
      ownBody: configBody,
      ...DOCUMENTS,
      answer: { status: 201, schema: savedSchema },
      errors: ['request/conflict'],
    },
    async (call) => {
      const config = await manageConfigs.create(call.membership.organisationId, call.body, changedByPerson(call))
      return answerSaved(call, previewLayout, config)
    },
  )
  addRoute<'member', JsonObject>(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/:configId`,
      summary: 'Replace a notification config',
      role: 'editor',
      ownBody: configBody,
      headers: ifMatchHeader,
      ...DOCUMENTS,
      answer: { status: 200, schema: savedSchema },
      errors: [...NOT_FOUND, 'request/conflict'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const change = [call.params.configId ?? '', call.body, changedByPerson(call), takesRevision(call.c)] as const
      return answerSaved(call, previewLayout, await manageConfigs.put(organisationId, ...change))
    },
  )
  addRemovalRoute(http, manageConfigs)
}

function addReadRoutes(http: Http, manageConfigs: ManageConfigs): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the notification configs, newest first',
      role: 'viewer',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(configSchema).openapi('NotificationConfigPage') },
      errors: [],
    },
    (call) => manageConfigs.list(call.membership.organisationId, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:configId`,
      summary: 'Read a notification config',
      role: 'viewer',
      answer: { status: 200, schema: configSchema },
      errors: NOT_FOUND,
    },
    async (call) => withEtag(call, await manageConfigs.get(call.membership.organisationId, call.params.configId ?? '')),
  )
}

function addRemovalRoute(http: Http, manageConfigs: ManageConfigs): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      path: `${PATH}/:configId`,
      summary: 'Remove a notification config that no environment and no campaign names',
      role: 'admin',
      headers: ifMatchHeader,
      answer: DELETED,
      errors: [...NOT_FOUND, 'request/conflict'],
    },
    (call) => {
      const { organisationId } = call.membership
      return manageConfigs.remove(
        organisationId,
        call.params.configId ?? '',
        changedByPerson(call),
        takesRevision(call.c),
      )
    },
  )
}

// Serves /v1/email/integrations: list, create, read, change, delete, test.

import { z } from '@hono/zod-openapi'
import type { JsonObject } from '../../../contract/json.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { MAIL_PROVIDERS, MAIL_WAYS } from '../../../contract/tenant.ts'
import type { MailProviders } from '../../domain/mail/mail-provider.ts'
import type { FindMailWay } from '../../flow/mail/find-mail-way.ts'
import type { ManageIntegrations } from '../../flow/tenant/manage-integrations.ts'
import {
  MAX_CREDENTIAL_CHARS,
  MAX_INTEGRATION_NAME_CHARS,
  MAX_PER_SECOND_RANGE,
  PRIORITY_RANGE,
} from '../../flow/tenant/parse-integration.ts'
import type { TestIntegration } from '../../flow/tenant/test-integration.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy, requireMayManage } from '../callers.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../if-match.ts'
import { addRoute } from '../route.ts'
import type { CallHead } from '../route-spec.ts'

export interface EmailIntegrationsDeps {
  mailProviders: MailProviders
  manageIntegrations: ManageIntegrations
  testIntegration: TestIntegration
  findMailWay: FindMailWay
}

const PATH = '/v1/email/integrations'
const ONE = `${PATH}/:integrationId`
const BASE = { tag: 'Email', caller: 'key' } as const
const WRITE = { ...BASE, role: 'admin', guards: [requireMayManage] } as const
/** Keys in PEM need more than the settings of an enricher. */
const MAX_BYTES = 64 * 1024

const from = z.object({ name: z.string().nullable(), address: z.string() })
const instant = z.iso.datetime().nullable()

const integrationFields = {
  id: z.string(),
  name: z.string(),
  provider: z.enum(MAIL_PROVIDERS),
  from: from.nullable(),
  priority: z.number().int(),
  maxPerSecond: z.number().nullable(),
  account: z.record(z.string(), z.string()).openapi({
    description: 'The fields of the credentials that are no secrets, such as `host`, `port` and `user`.',
  }),
  webhookUrl: z.string().nullable().openapi({ description: 'Null: the provider reports nothing.' }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.number().int(),
  state: z.object({
    lastSentAt: instant,
    lastErrorAt: instant,
    lastError: z.string().nullable(),
    lastWebhookAt: instant,
  }),
}
const integrationSchema = z.object(integrationFields).openapi('EmailIntegration')
const changedSchema = z
  .object({
    ...integrationFields,
    webhookCredentials: z
      .object({ username: z.string(), password: z.string() })
      .optional()
      .openapi({ description: 'Only where the password is new: it is not shown again.' }),
  })
  .openapi('ChangedEmailIntegration')

const settingsFields = {
  name: z.string().min(1).max(MAX_INTEGRATION_NAME_CHARS),
  provider: z.enum(MAIL_PROVIDERS),
  from: z
    .object({
      name: z.string().min(1).max(MAX_INTEGRATION_NAME_CHARS).nullable().optional(),
      address: z.string().min(3).max(320).openapi({ format: 'email' }),
    })
    .nullable()
    .optional()
    .openapi({ description: 'The sender where the notification config names none.' }),
  priority: z.number().int().min(PRIORITY_RANGE.min).max(PRIORITY_RANGE.max).default(1),
  maxPerSecond: z.number().min(MAX_PER_SECOND_RANGE.min).max(MAX_PER_SECOND_RANGE.max).nullable().optional().openapi({
    description: 'Mails that are handed over in a second at most, over all nodes; null: as many as the provider takes.',
  }),
}
const credentials = z.record(z.string(), z.string().max(MAX_CREDENTIAL_CHARS)).openapi({
  description: 'By field of the provider; never answered.',
})
const newSchema = z.object({ ...settingsFields, credentials }).openapi('NewEmailIntegration')
const changeSchema = z
  .object({
    ...settingsFields,
    credentials: credentials.optional().openapi({ description: 'Replaced as a whole; absent: the stored ones stay.' }),
    rotateWebhookPassword: z.boolean().optional(),
  })
  .openapi('EmailIntegrationChange')

const testSchema = z
  .object({
    to: z.string().min(3).max(320).optional().openapi({
      format: 'email',
      description: 'Default: the address of the person who calls from the dashboard.',
    }),
  })
  .openapi('EmailIntegrationTest')
const testAnswerSchema = z
  .object({
    ok: z.boolean(),
    providerMessageId: z.string().nullable().optional(),
    error: z.string().optional().openapi({ description: "The provider's answer in words." }),
  })
  .openapi('EmailIntegrationTestAnswer')

const providerSchema = z
  .object({
    name: z.enum(MAIL_PROVIDERS),
    title: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        isSecret: z.boolean(),
        isRequired: z.boolean(),
        values: z.array(z.string()).optional(),
        byDefault: z.string().optional(),
      }),
    ),
  })
  .openapi('EmailProvider')

export function addEmailIntegrationRoutes(http: Http, deps: EmailIntegrationsDeps): void {
  addProviderRoute(http, deps.mailProviders)
  addReadRoutes(http, deps)
  addWriteRoutes(http, deps.manageIntegrations)
  addTestRoute(http, deps.testIntegration)
}

function addProviderRoute(http: Http, providers: MailProviders): void {
  const data = [...providers.values()].map(({ name, title, fields }) => ({ name, title, fields: [...fields] }))
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/email/providers',
      summary: 'List the providers of e-mail, with the fields of their credentials',
      query: boundedPageQuery,
      answer: { status: 200, schema: pageOf(providerSchema).openapi('EmailProviderPage') },
      errors: [],
    },
    ({ query, environment }) => cutPage({ list: 'email-providers', of: environment.id }, data, query),
  )
}

const way = z.enum(MAIL_WAYS).openapi({
  description: 'How mails of the environment go. `none`: production without a mail server, its mails are skipped.',
})

function addReadRoutes(http: Http, { manageIntegrations: integrations, findMailWay }: EmailIntegrationsDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the integrations with providers of e-mail, in the order in which they are tried',
      query: boundedPageQuery,
      answer: {
        status: 200,
        schema: z.object({ ...pageOf(integrationSchema).shape, way }).openapi('EmailIntegrationList'),
      },
      errors: [],
    },
    async ({ environment, query }) => {
      const page = await integrations.list(environment.id, query)
      return { ...page, way: await findMailWay(environment) }
    },
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: ONE,
      summary: 'Read an integration with its state',
      answer: { status: 200, schema: integrationSchema },
      errors: ['email-integration/not-found'],
    },
    async (call) => withEtag(call, await integrations.get(call.environment.id, idOf(call))),
  )
}

function addWriteRoutes(http: Http, integrations: ManageIntegrations): void {
  addRoute<'key', JsonObject>(
    http,
    {
      ...WRITE,
      method: 'post',
      path: PATH,
      summary: 'Add an integration with a provider of e-mail',
      ownBody: newSchema,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: changedSchema },
      errors: ['authorization/not-allowed', 'request/conflict'],
    },
    async (call) => withEtag(call, await integrations.create(call.environment.id, call.body, changedBy(call))),
  )
  addRoute<'key', JsonObject>(
    http,
    {
      ...WRITE,
      method: 'put',
      path: ONE,
      summary: 'Replace an integration; without credentials the stored ones stay',
      headers: ifMatchHeader,
      ownBody: changeSchema,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: changedSchema },
      errors: ['authorization/not-allowed', 'email-integration/not-found', 'request/conflict'],
    },
    async (call) => {
      const change = [idOf(call), call.body, changedBy(call), takesRevision(call.c)] as const
      return withEtag(call, await integrations.put(call.environment.id, ...change))
    },
  )
  addRoute<'key'>(
    http,
    {
      ...WRITE,
      method: 'delete',
      path: ONE,
      summary: 'Remove an integration; mails are sent by the others',
      answer: DELETED,
      errors: ['authorization/not-allowed', 'email-integration/not-found'],
    },
    (call) => integrations.remove(call.environment.id, idOf(call), changedBy(call)),
  )
}

function addTestRoute(http: Http, testIntegration: TestIntegration): void {
  addRoute(
    http,
    {
      ...WRITE,
      method: 'post',
      path: `${ONE}/test`,
      summary: "Send a test mail by this integration, and answer the provider's own answer",
      body: testSchema,
      isBodyOptional: true,
      answer: { status: 200, schema: testAnswerSchema },
      errors: ['authorization/not-allowed', 'email-integration/not-found'],
    },
    (call) => {
      const own = 'person' in call ? call.person.email : undefined
      return testIntegration(call.environment, idOf(call), call.body.to ?? own)
    },
  )
}

const idOf = ({ params }: Pick<CallHead<'key'>, 'params'>) => params.integrationId ?? ''

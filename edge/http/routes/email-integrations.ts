// Serves /v1/email/integrations: list, create, read, change, delete, test.

import type { JsonObject } from '../../../contract/json.ts'
import {
  changedEmailIntegration,
  type EmailIntegrationChange,
  emailIntegration,
  emailIntegrationChange,
  emailIntegrationList,
  emailIntegrationTest,
  emailIntegrationTestAnswer,
  emailProviderPage,
  type NewEmailIntegration,
  newEmailIntegration,
} from '../../../contract/resources/email-integration.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { findIntegrationFaults } from '../../flow/tenant/find-integration-faults.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/email/integrations'
const ONE = `${PATH}/:integrationId`
const BASE = { tag: 'Email', caller: 'key' } as const
const WRITE = { ...BASE, role: 'admin', guards: [requireMayManage] } as const
/** Keys in PEM need more than the settings of an enricher. */
const MAX_BYTES = 64 * 1024

export function addEmailIntegrationRoutes(
  http: Http,
  services: Pick<Services, 'mailProviders' | 'manageIntegrations' | 'testIntegration' | 'findMailWay'>,
): void {
  addProviderRoute(http, services)
  addReadRoutes(http, services)
  addWriteRoutes(http, services)
  addTestRoute(http, services)
}

function addProviderRoute(http: Http, { mailProviders: providers }: Pick<Services, 'mailProviders'>): void {
  const data = [...providers.values()].map(({ name, title, fields }) => ({ name, title, fields: [...fields] }))
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: '/v1/email/providers',
      role: 'viewer',
      summary: 'List the providers of e-mail, with the fields of their credentials',
      query: boundedPageQuery,
      answer: { status: 200, schema: emailProviderPage },
      errors: [],
    },
    ({ query, environment }) => cutPage({ list: 'email-providers', of: environment.id }, data, query),
  )
}

function addReadRoutes(
  http: Http,
  { manageIntegrations: integrations, findMailWay }: Pick<Services, 'manageIntegrations' | 'findMailWay'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'List the integrations with providers of e-mail, in the order in which they are tried',
      query: boundedPageQuery,
      answer: { status: 200, schema: emailIntegrationList },
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
      role: 'viewer',
      summary: 'Read an integration with its state',
      answer: { status: 200, schema: emailIntegration },
      errors: ['email-integration/not-found'],
    },
    async (call) => withEtag(call, await integrations.get(call.environment.id, idOf(call))),
  )
}

function addWriteRoutes(
  http: Http,
  { manageIntegrations: integrations, mailProviders }: Pick<Services, 'manageIntegrations' | 'mailProviders'>,
): void {
  const faults = (body: JsonObject) => findIntegrationFaults(mailProviders, body)
  addRoute<'key', NewEmailIntegration>(
    http,
    {
      ...WRITE,
      method: 'post',
      path: PATH,
      summary: 'Add an integration with a provider of e-mail',
      body: newEmailIntegration,
      faults,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: changedEmailIntegration },
      errors: ['authorization/not-allowed', 'request/conflict'],
    },
    async (call) => withEtag(call, await integrations.create(call.environment.id, call.body, changedBy(call))),
  )
  addRoute<'key', EmailIntegrationChange>(
    http,
    {
      ...WRITE,
      method: 'put',
      path: ONE,
      summary: 'Replace an integration; without credentials the stored ones stay',
      headers: ifMatchHeader,
      body: emailIntegrationChange,
      faults,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: changedEmailIntegration },
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
      headers: ifMatchHeader,
      answer: DELETED,
      errors: ['authorization/not-allowed', 'email-integration/not-found', 'request/conflict'],
    },
    (call) => integrations.remove(call.environment.id, idOf(call), changedBy(call), takesRevision(call.c)),
  )
}

function addTestRoute(http: Http, { testIntegration }: Pick<Services, 'testIntegration'>): void {
  addRoute(
    http,
    {
      ...WRITE,
      method: 'post',
      path: `${ONE}/test`,
      summary: "Send a test mail by this integration, and answer the provider's own answer",
      body: emailIntegrationTest,
      isBodyOptional: true,
      answer: { status: 200, schema: emailIntegrationTestAnswer },
      errors: ['authorization/not-allowed', 'email-integration/not-found'],
    },
    (call) => {
      const own = 'person' in call ? call.person.email : undefined
      return testIntegration(call.environment, idOf(call), call.body.to ?? own)
    },
  )
}

const idOf = ({ params }: Pick<CallHead<'key'>, 'params'>) => params.integrationId ?? ''

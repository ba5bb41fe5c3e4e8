// Serves environments: their list and creation in an organisation, and their settings.

import { z } from '@hono/zod-openapi'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { ClaimPaths } from '../../../contract/tenant.ts'
import type { Environment, Environments } from '../../domain/environment.ts'
import type { Organisations } from '../../domain/organisation.ts'
import type { Secrets } from '../../domain/secret.ts'
import type { Regions } from '../../domain/tenant/region.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import type { AddEnvironment } from '../../flow/tenant/add-environment.ts'
import type { ChangeEnvironment, EnvironmentChange } from '../../flow/tenant/change-environment.ts'
import type { DeleteEnvironment } from '../../flow/tenant/delete-environment.ts'
import { toEnvironmentAnswer } from '../../flow/tenant/environment-answer.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { changedBy, changedByPerson } from '../callers.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../if-match.ts'
import { addRoute, DASHBOARD_PATH } from '../route.ts'
import {
  createdEnvironmentSchema,
  type EnvironmentBody,
  environmentBody,
  environmentContentsSchema,
  environmentDetailSchema,
  listedEnvironmentSchema,
  newEnvironmentBody,
} from './environment-schema.ts'

export interface DashboardEnvironmentsDeps {
  addEnvironment: AddEnvironment
  changeEnvironment: ChangeEnvironment
  deleteEnvironment: DeleteEnvironment
  environments: Pick<Environments, 'find' | 'list' | 'listLastEvents'>
  organisations: Pick<Organisations, 'find'>
  secrets: Pick<Secrets, 'list'>
  regions: Regions
}

const OF_ORGANISATION = '/v1/dashboard/organisations/:org/environments'
const TAG = 'Dashboard environments'
const deletionQuery = z.object({
  confirm: z.string().max(200).openapi({ description: 'The name of the environment: nothing brings it back.' }),
})
const CONFIG_ERRORS = ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'] as const

export function addDashboardEnvironmentRoutes(http: Http, deps: DashboardEnvironmentsDeps): void {
  addOrganisationRoutes(http, deps)
  addOneRoutes(http, deps)
  addDeletionRoutes(http, deps)
}

function addOrganisationRoutes(http: Http, deps: DashboardEnvironmentsDeps): void {
  const common = { path: OF_ORGANISATION, tag: TAG, caller: 'member' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      summary: 'List the environments of an organisation, newest first',
      role: 'viewer',
      query: boundedPageQuery,
      answer: { status: 200, schema: pageOf(listedEnvironmentSchema).openapi('EnvironmentPage') },
      errors: ['auth/onboarding-not-completed'],
    },
    async ({ membership: { organisationId, isOnboarded }, query }) => {
      if (!isOnboarded) throw new ApiError('auth/onboarding-not-completed')
      const [organisation, all, lastEvents] = await Promise.all([
        deps.organisations.find(organisationId),
        deps.environments.list(organisationId),
        deps.environments.listLastEvents(organisationId),
      ])
      const region = organisation?.region ?? null
      const receivedAt = new Map(lastEvents.map((one) => [one.environmentId, one.receivedAt]))
      const answers = all.reverse().map((one) => ({
        ...toEnvironmentAnswer(one, region, deps.regions),
        lastEventAt: toIso(receivedAt.get(one.id) ?? null),
      }))
      return cutPage({ list: 'environments', of: organisationId }, answers, query)
    },
  )
  addRoute(
    http,
    {
      ...common,
      method: 'post',
      summary: 'Create an environment; the answer has its secrets. The first one completes the onboarding',
      role: 'admin',
      body: newEnvironmentBody,
      answer: { status: 201, schema: createdEnvironmentSchema },
      errors: [...CONFIG_ERRORS, 'request/conflict'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const { publicKey, identityProvider, ...basics } = call.body
      const wanted = { ...basics, ...keysOf({ publicKey, identityProvider }) }
      const made = await deps.addEnvironment(organisationId, wanted, 'in-order', changedByPerson(call))
      return { ...toEnvironmentAnswer(made.environment, made.region, deps.regions), secrets: made.values }
    },
  )
}

function addOneRoutes(http: Http, deps: DashboardEnvironmentsDeps): void {
  async function answerOf(environment: Revised<Environment>) {
    const [organisation, [front]] = await Promise.all([
      deps.organisations.find(environment.organisationId),
      deps.secrets.list(environment.id, 'frontApiKey'),
    ])
    const answer = toEnvironmentAnswer(environment, organisation?.region ?? null, deps.regions)
    return { ...answer, frontApiKey: front?.plain ?? '', revision: environment.revision }
  }
  const common = { path: DASHBOARD_PATH, tag: TAG, caller: 'environment' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      summary: 'Read an environment with its settings and its Front API Key',
      role: 'viewer',
      answer: { status: 200, schema: environmentDetailSchema },
      errors: [],
    },
    async (call) => {
      const environment = await deps.environments.find(call.environment.id)
      if (environment === undefined) throw new ApiError('request/not-found')
      return withEtag(call, await answerOf(environment))
    },
  )
  addRoute(
    http,
    {
      ...common,
      method: 'put',
      summary: 'Change settings of an environment, all at once',
      role: 'admin',
      headers: ifMatchHeader,
      body: environmentBody,
      answer: { status: 200, schema: environmentDetailSchema },
      errors: [...CONFIG_ERRORS, 'request/conflict'],
    },
    async (call) => {
      const change = [call.environment.id, changedBy(call), toChange(call.body), takesRevision(call.c)] as const
      return withEtag(call, await answerOf(await deps.changeEnvironment.set(...change)))
    },
  )
}

function addDeletionRoutes(http: Http, { deleteEnvironment }: DashboardEnvironmentsDeps): void {
  const common = { tag: TAG, caller: 'environment', role: 'admin' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: `${DASHBOARD_PATH}/contents`,
      summary: 'Count what the deletion of an environment would remove; a million stands for that or more',
      answer: { status: 200, schema: environmentContentsSchema },
      errors: [],
    },
    (call) => deleteEnvironment.contents(call.environment),
  )
  addRoute(
    http,
    {
      ...common,
      method: 'delete',
      path: DASHBOARD_PATH,
      summary: 'Delete an environment with all that it has; its keys are refused at once. The last one stays',
      headers: ifMatchHeader,
      answer: DELETED,
      query: deletionQuery,
      errors: ['request/conflict'],
    },
    (call) => deleteEnvironment.delete(call.environment, call.query.confirm, changedBy(call), takesRevision(call.c)),
  )
}

function toChange({ publicKey, identityProvider, ...rest }: EnvironmentBody): EnvironmentChange {
  const change = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { ...change, ...keysOf({ publicKey, identityProvider }) } as EnvironmentChange
}

/** Returns key and provider, if given, with the default paths of claims. */
function keysOf({ publicKey, identityProvider }: Pick<EnvironmentBody, 'publicKey' | 'identityProvider'>) {
  const withClaims = <T extends { claims?: ClaimPaths | undefined }>(registered: T) => ({
    ...registered,
    claims: registered.claims ?? { userId: 'sub' },
  })
  return {
    ...(publicKey === undefined ? {} : { publicKey: publicKey && withClaims(publicKey) }),
    ...(identityProvider === undefined ? {} : { identityProvider: identityProvider && withClaims(identityProvider) }),
  }
}

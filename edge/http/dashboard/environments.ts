// Serves environments: their list and creation in an organisation, and their settings.

import {
  createdEnvironment,
  type EnvironmentAnswer,
  type EnvironmentChange,
  environmentChange,
  environmentContents,
  environmentDeletion,
  environmentDetail,
  environmentPage,
  type NewEnvironment,
  newEnvironment,
} from '../../../contract/resources/environment.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import type { Environment } from '../../domain/environment.ts'
import { sandboxOf } from '../../domain/mail/email-sandbox.ts'
import { hostOfRegion, type Regions } from '../../domain/tenant/region.ts'
import type { Revised } from '../../domain/tenant/revised.ts'
import { findSandboxFaults } from '../../flow/tenant/find-address-faults.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage } from '../../lib/cut-page.ts'
import { formatId } from '../../lib/id.ts'
import { changedBy, changedByPerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const OF_ORGANISATION = '/v1/dashboard/organisations/:org/environments'
const TAG = 'Dashboard environments'
const CONFIG_ERRORS = ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'] as const

export function addDashboardEnvironmentRoutes(
  http: Http,
  services: Pick<
    Services,
    | 'environments'
    | 'organisations'
    | 'secrets'
    | 'regions'
    | 'addEnvironment'
    | 'changeEnvironment'
    | 'deleteEnvironment'
  >,
): void {
  addOrganisationRoutes(http, services)
  addOneRoutes(http, services)
  addDeletionRoutes(http, services)
}

function addOrganisationRoutes(
  http: Http,
  {
    environments,
    organisations,
    regions,
    addEnvironment,
  }: Pick<Services, 'environments' | 'organisations' | 'regions' | 'addEnvironment'>,
): void {
  const common = { path: OF_ORGANISATION, tag: TAG, caller: 'member' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      summary: 'List the environments of an organisation, newest first',
      role: 'viewer',
      query: boundedPageQuery,
      answer: { status: 200, schema: environmentPage },
      errors: ['auth/onboarding-not-completed'],
    },
    async ({ membership: { organisationId, isOnboarded }, query }) => {
      if (!isOnboarded) throw new ApiError('auth/onboarding-not-completed')
      const [organisation, all, lastEvents] = await Promise.all([
        organisations.find(organisationId),
        environments.list(organisationId),
        environments.listLastEvents(organisationId),
      ])
      const region = organisation?.region ?? null
      const receivedAt = new Map(lastEvents.map((one) => [one.environmentId, one.receivedAt]))
      const answers = all.reverse().map((one) => ({
        ...toAnswer(one, region, regions),
        lastEventAt: toIso(receivedAt.get(one.id) ?? null),
      }))
      return cutPage({ list: 'environments', of: organisationId }, answers, query)
    },
  )
  addRoute<'member', NewEnvironment>(
    http,
    {
      ...common,
      method: 'post',
      summary: 'Create an environment; the answer has its secrets. The first one completes the onboarding',
      role: 'admin',
      body: newEnvironment,
      faults: findSandboxFaults,
      answer: { status: 201, schema: createdEnvironment },
      errors: [...CONFIG_ERRORS, 'request/conflict'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const order = call.operator === undefined ? 'in-order' : 'any-order'
      const made = await addEnvironment(organisationId, call.body, order, changedByPerson(call))
      return { ...toAnswer(made.environment, made.region, regions), secrets: made.values }
    },
  )
}

function addOneRoutes(
  http: Http,
  {
    environments,
    organisations,
    secrets,
    regions,
    changeEnvironment,
  }: Pick<Services, 'environments' | 'organisations' | 'secrets' | 'regions' | 'changeEnvironment'>,
): void {
  async function answerOf(environment: Revised<Environment>) {
    const [organisation, [front]] = await Promise.all([
      organisations.find(environment.organisationId),
      secrets.list(environment.id, 'frontApiKey'),
    ])
    const answer = toAnswer(environment, organisation?.region ?? null, regions)
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
      servesClosed: true,
      answer: { status: 200, schema: environmentDetail },
      errors: [],
    },
    async (call) => {
      const environment = await environments.find(call.environment.id)
      if (environment === undefined) throw new ApiError('request/not-found')
      return withEtag(call, await answerOf(environment))
    },
  )
  addRoute<'environment', EnvironmentChange>(
    http,
    {
      ...common,
      method: 'put',
      summary: 'Change settings of an environment, all at once',
      role: 'admin',
      headers: ifMatchHeader,
      body: environmentChange,
      faults: findSandboxFaults,
      answer: { status: 200, schema: environmentDetail },
      errors: [...CONFIG_ERRORS, 'request/conflict'],
    },
    async (call) => {
      const change = [call.environment.id, changedBy(call), call.body, takesRevision(call.c)] as const
      return withEtag(call, await answerOf(await changeEnvironment.set(...change)))
    },
  )
}

function addDeletionRoutes(http: Http, { deleteEnvironment }: Pick<Services, 'deleteEnvironment'>): void {
  const common = { tag: TAG, caller: 'environment', role: 'admin', servesClosed: true } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: `${DASHBOARD_PATH}/contents`,
      summary: 'Count what the deletion of an environment would remove; a million stands for that or more',
      answer: { status: 200, schema: environmentContents },
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
      query: environmentDeletion,
      errors: ['request/conflict'],
    },
    (call) => deleteEnvironment.delete(call.environment, call.query.confirm, changedBy(call), takesRevision(call.c)),
  )
}

/** @param home - The region of its organisation; null: that of this deployment, whose keys it has. */
function toAnswer(environment: Environment, home: string | null, regions: Regions): EnvironmentAnswer {
  const {
    id,
    organisationId,
    name,
    notificationConfigId: configId,
    createdAt,
    disabledAt,
    closedAt = null,
  } = environment
  return {
    id: formatId('environment', id),
    organisation: formatId('organisation', organisationId),
    name,
    isProduction: environment.isProduction,
    allowedOrigins: environment.allowedOrigins,
    requireExpiringTokens: environment.requireExpiringTokens,
    sdkKeyMayManage: environment.sdkKeyMayManage,
    requirePublishApproval: environment.requirePublishApproval,
    publishRole: environment.publishRole,
    notificationConfigId: configId === null ? null : formatId('notificationConfig', configId),
    siteUrl: environment.siteUrl ?? null,
    appSchemes: [...(environment.appSchemes ?? [])],
    identityProvider: environment.identityProvider,
    publicKey: environment.publicKey,
    rateLimits: environment.rateLimits ?? null,
    emailSandbox: sandboxOf(environment),
    region: home ?? regions.own,
    host: hostOfRegion(regions, home ?? regions.own),
    state: closedAt !== null ? 'closed' : disabledAt === null ? 'enabled' : 'disabled',
    disabled: disabledAt !== null,
    disabledAt: toIso(disabledAt),
    closedAt: toIso(closedAt),
    movedTo: environment.movedTo ?? null,
    createdAt: toIso(createdAt),
  }
}

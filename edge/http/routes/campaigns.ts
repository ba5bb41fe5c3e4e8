// Serves /v1/campaigns: create, read, change, publish, pause, resume, archive, versions.

import type { JsonObject } from '../../../contract/json.ts'
import {
  archiveQuery,
  campaignCounts,
  campaignCountsQuery,
  campaignsQuery,
  publishRequest,
} from '../../../contract/resources/campaign.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import { changedBy, publisherOf, requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import { type Call, DOCUMENTS } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import {
  campaignSchema,
  newDefinition,
  newDraft,
  registerComponents,
  savedSchema,
  versionSchema,
} from './campaign-schema.ts'

const PATH = '/v1/campaigns'
const TAG = 'Campaigns'
const BASE = { tag: TAG, caller: 'key' } as const
const CAMPAIGN = { status: 200, schema: campaignSchema } as const
/** Errors of the definition's `notificationConfigId`. */
const CONFIG_ERRORS = ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'] as const

type Taken = Pick<Services, 'changeCampaign' | 'publishCampaigns' | 'warnMails'>

export function addCampaignRoutes(http: Http, services: Taken): void {
  registerComponents(http.app)
  addReadRoutes(http, services)
  addVersionRoutes(http, services)
  addWriteRoutes(http, services)
  addTransitionRoutes(http, services)
}

function addReadRoutes(http: Http, { changeCampaign: campaigns }: Pick<Services, 'changeCampaign'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary:
        'List campaigns, newest first; with `q` those whose name or key contains it, in any case, with or without accents',
      query: campaignsQuery,
      answer: { status: 200, schema: pageOf(campaignSchema).openapi('CampaignPage') },
      errors: [],
    },
    (call) => campaigns.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/counts`,
      role: 'viewer',
      summary: 'Count campaigns by status; with `q` those whose name or key contains it',
      query: campaignCountsQuery,
      answer: { status: 200, schema: campaignCounts },
      errors: [],
    },
    (call) => campaigns.count(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:id`,
      role: 'viewer',
      summary: 'Read a campaign',
      answer: CAMPAIGN,
      errors: ['campaign/not-found'],
    },
    async (call) => withEtag(call, await campaigns.get(call.environment.id, call.params.id ?? '')),
  )
}

function addVersionRoutes(http: Http, { changeCampaign: campaigns }: Pick<Services, 'changeCampaign'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:id/versions`,
      role: 'viewer',
      summary: 'List the published versions',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(versionSchema).openapi('CampaignVersionPage') },
      errors: ['campaign/not-found'],
    },
    (call) => campaigns.listVersions(call.environment.id, call.params.id ?? '', call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:id/versions/:version`,
      role: 'viewer',
      summary: 'Read a published version',
      answer: { status: 200, schema: versionSchema },
      errors: ['campaign/not-found'],
    },
    (call) => campaigns.getVersion(call.environment.id, call.params.id ?? '', parseVersion(call.params.version)),
  )
}

function addWriteRoutes(http: Http, { changeCampaign: campaigns }: Pick<Services, 'changeCampaign'>): void {
  addRoute<'key', JsonObject>(
    http,
    {
      ...BASE,
      method: 'post',
      path: PATH,
      role: 'editor',
      summary: 'Create a campaign as a draft',
      ownBody: newDefinition,
      ...DOCUMENTS,
      guards: [requireMayManage],
      answer: { status: 201, schema: savedSchema },
      errors: ['authorization/not-allowed', 'campaign/invalid-definition', 'campaign/key-taken', ...CONFIG_ERRORS],
    },
    async (call) => withEtag(call, await campaigns.create(call.environment.id, call.body, changedBy(call))),
  )
  addRoute<'key', JsonObject>(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/:id`,
      role: 'editor',
      summary: 'Change the draft of the next version, in any status',
      ownBody: newDraft,
      headers: ifMatchHeader,
      ...DOCUMENTS,
      guards: [requireMayManage],
      answer: { status: 200, schema: savedSchema },
      errors: [
        'authorization/not-allowed',
        'campaign/not-found',
        'campaign/invalid-definition',
        'campaign/key-taken',
        'request/conflict',
        ...CONFIG_ERRORS,
      ],
    },
    async (call) => {
      const { environment, params, body, c } = call
      const takes = takesRevision(c)
      return withEtag(call, await campaigns.putDraft(environment.id, params.id ?? '', body, changedBy(call), takes))
    },
  )
}

/** Parses the number of a version. @returns 0 for any other text, because no version has that number. */
function parseVersion(text = ''): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}

function addTransitionRoutes(http: Http, { changeCampaign: campaigns, publishCampaigns, warnMails }: Taken): void {
  const spec = {
    ...BASE,
    method: 'post',
    guards: [requireMayManage],
    headers: ifMatchHeader,
    answer: CAMPAIGN,
    errors: ['authorization/not-allowed', 'campaign/not-found', 'campaign/invalid-transition', 'request/conflict'],
  } as const
  const changeOf = (call: Call<'key', unknown, unknown>) =>
    [call.environment.id, call.params.id ?? '', changedBy(call)] as const
  addRoute(
    http,
    {
      ...spec,
      path: `${PATH}/:id/publish`,
      body: publishRequest,
      isBodyOptional: true,
      role: 'editor',
      summary: 'Publish the draft as the next version and make it current, or ask for approval',
      answer: { status: 200, schema: savedSchema },
      errors: [...spec.errors, 'campaign/invalid-definition', ...CONFIG_ERRORS],
    },
    async (call) => {
      const { environment, params, body, c } = call
      const { id = '' } = params
      const published = await publishCampaigns.publish(
        environment.id,
        id,
        publisherOf(call),
        takesRevision(c),
        body.note,
      )
      const ofMails = await warnMails(environment.id, published.draft)
      return withEtag(call, { ...published, warnings: [...published.warnings, ...ofMails] })
    },
  )
  addRoute<'key'>(
    http,
    { ...spec, path: `${PATH}/:id/pause`, role: 'editor', summary: 'Pause: events start no run' },
    async (call) => withEtag(call, await campaigns.pause(...changeOf(call), takesRevision(call.c))),
  )
  addRoute<'key'>(
    http,
    { ...spec, path: `${PATH}/:id/resume`, role: 'editor', summary: 'Resume a paused campaign' },
    async (call) => withEtag(call, await campaigns.resume(...changeOf(call), takesRevision(call.c))),
  )
  addRoute(
    http,
    {
      ...spec,
      path: `${PATH}/:id/archive`,
      role: 'editor',
      summary: 'Archive; waiting runs are cancelled unless drained',
      query: archiveQuery,
    },
    async (call) => {
      const drains = call.query.drain === 'true'
      return withEtag(call, await campaigns.archive(...changeOf(call), drains, takesRevision(call.c)))
    },
  )
}

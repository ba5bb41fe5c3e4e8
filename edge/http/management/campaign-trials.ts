// Serves the preview, test, dry run and funnel of a campaign.

import { funnelAnswer, previewAnswer } from '../../../contract/schemas.ts'
import type { ReadFunnel } from '../../flow/campaigns/read-funnel.ts'
import type { TryCampaign } from '../../flow/campaigns/try-campaign.ts'
import type { Http } from '../http.ts'
import { addRoute } from '../route.ts'
import {
  dryRunAnswerSchema,
  dryRunBodySchema,
  previewBodySchema,
  statsQuerySchema,
  testAnswerSchema,
  testBodySchema,
} from './campaign-schema.ts'

const PATH = '/v1/campaigns/:id'
const BASE = { tag: 'Campaigns', caller: 'key' } as const

export interface CampaignTrialsDeps {
  tryCampaign: TryCampaign
  readFunnel: ReadFunnel
}

/** Adds routes that do not change a campaign, so that every key may call them. */
export function addCampaignTrialRoutes(http: Http, { tryCampaign, readFunnel }: CampaignTrialsDeps): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/preview`,
      summary: 'Render a step of the draft as for a real message',
      role: 'viewer',
      body: previewBodySchema,
      answer: { status: 200, schema: previewAnswer },
      errors: ['campaign/not-found', 'campaign/invalid-definition'],
    },
    (call) => tryCampaign.preview(call.environment, call.params.id ?? '', call.body),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/dry-run`,
      summary: 'List the steps that the draft would take; writes nothing',
      role: 'viewer',
      body: dryRunBodySchema,
      answer: { status: 200, schema: dryRunAnswerSchema },
      errors: ['campaign/not-found'],
    },
    (call) => tryCampaign.dryRun(call.environment, call.params.id ?? '', call.body),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/test`,
      summary: 'Send the draft to one user, marked as a test and counted nowhere',
      body: testBodySchema,
      answer: { status: 200, schema: testAnswerSchema },
      errors: ['campaign/not-found'],
    },
    (call) => tryCampaign.test(call.environment, call.secretId, call.params.id ?? '', call.body, call.correlationId),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/stats`,
      summary: 'Read the funnel: live counters by window and channel',
      query: statsQuerySchema,
      answer: { status: 200, schema: funnelAnswer },
      errors: ['campaign/not-found'],
    },
    (call) => readFunnel(call.environment.id, call.params.id ?? '', call.query),
  )
}

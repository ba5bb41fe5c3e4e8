// Serves the answers to a request to publish a campaign: approve, decline, withdraw. Only people answer, never a key.

import { publishAnswer, publishRefusal } from '../../../contract/resources/campaign.ts'
import { publisherOf } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { withEtag } from '../kernel/if-match.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Call } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { campaignSchema, savedSchema } from '../routes/campaign-schema.ts'

const PATH = `${DASHBOARD_PATH}/campaigns/:id/publish`
const BASE = { method: 'post', tag: 'Dashboard environments', caller: 'environment', role: 'editor' } as const
const ERRORS = ['authorization/not-allowed', 'campaign/not-found', 'request/conflict'] as const

export function addDashboardPublishRoutes(
  http: Http,
  { publishCampaigns, warnMails }: Pick<Services, 'publishCampaigns' | 'warnMails'>,
): void {
  const targetOf = (call: Call<'environment', unknown, unknown>) => {
    const { id = '' } = call.params as { id?: string }
    return [call.environment.id, id, publisherOf(call)] as const
  }
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/approve`,
      summary: 'Approve a request to publish',
      body: publishAnswer,
      answer: { status: 200, schema: savedSchema },
      errors: [
        ...ERRORS,
        'campaign/invalid-transition',
        'campaign/invalid-definition',
        'notification/config-not-found',
        'authorization/unauthorizedConfigIdForOrganisation',
      ],
    },
    async (call) => {
      const published = await publishCampaigns.approve(...targetOf(call), call.body.revision)
      const ofMails = await warnMails(call.environment.id, published.draft)
      return withEtag(call, { ...published, warnings: [...published.warnings, ...ofMails] })
    },
  )
  const answer = { status: 200, schema: campaignSchema }
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/decline`,
      summary: 'Decline a request to publish',
      body: publishRefusal,
      answer,
      errors: ERRORS,
    },
    async (call) => withEtag(call, await publishCampaigns.decline(...targetOf(call), call.body)),
  )
  addRoute(
    http,
    {
      ...BASE,
      path: `${PATH}/withdraw`,
      summary: 'Withdraw a request to publish',
      body: publishAnswer,
      answer,
      errors: ERRORS,
    },
    async (call) => withEtag(call, await publishCampaigns.withdraw(...targetOf(call), call.body.revision)),
  )
}

// Serves copies of campaigns from one environment of an organisation to another.

import { campaignCopy, copiedCampaigns } from '../../../contract/resources/campaign-copy.ts'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { publisherOf } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

/** Of the definitions that are copied together: they are in memory, beside those of the target. */
const MOST_CHARS = 32 * 1024 * 1024

export function addDashboardCopyRoute(
  http: Http,
  { copyCampaigns, environments }: Pick<Services, 'copyCampaigns' | 'environments'>,
): void {
  addRoute(
    http,
    {
      method: 'post',
      path: `${DASHBOARD_PATH}/copy-campaigns`,
      summary: 'Compare the campaigns of this environment with those of another one, or copy them there',
      tag: 'Dashboard environments',
      caller: 'environment',
      role: 'editor',
      body: campaignCopy,
      answer: { status: 200, schema: copiedCampaigns },
      errors: [
        'authorization/not-allowed',
        'request/not-found',
        'campaign/not-found',
        'campaign/invalid-definition',
        'request/conflict',
      ],
    },
    async (call) => {
      const { environment: from, body } = call
      const id = parseId('environment', body.to)
      const to = id === undefined ? undefined : await environments.find(id)
      // The role of the person is that in the organisation of the path.
      if (to === undefined || to.organisationId !== from.organisationId) {
        throw new ApiError('request/not-found', { message: 'This organisation has no such environment.' })
      }
      refuseClosed(to)
      if (to.id === from.id) {
        throw new ApiError('request/conflict', { message: 'The campaigns are in this environment already.' })
      }
      const portables = await copyCampaigns.read(from, body.keys, MOST_CHARS)
      return copyCampaigns.transfer(to, portables, body, publisherOf(call))
    },
  )
}

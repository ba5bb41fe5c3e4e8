// Serves copies of campaigns from one environment of an organisation to another.

import { z } from '@hono/zod-openapi'
import { refuseClosed } from '../../domain/tenant/closed.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parseId } from '../../lib/id.ts'
import { changedBy } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const MAX_KEYS = 1000

const copyBody = z
  .object({
    to: z.string().openapi({ description: 'Another environment of the same organisation.', example: 'env_…' }),
    keys: z.array(z.string().max(256)).max(MAX_KEYS).default([]).openapi({ description: 'Empty: all.' }),
    apply: z.boolean().default(false).openapi({ description: 'Without it, the campaigns are only compared.' }),
    publish: z.boolean().default(false).openapi({ description: 'Publishes what was changed, too.' }),
  })
  .openapi('CampaignCopy')

const copiedSchema = z
  .object({
    applied: z.boolean(),
    changes: z.array(
      z.object({
        key: z.string(),
        action: z
          .enum(['create', 'change', 'publish', 'same', 'archived'])
          .openapi({ description: '`archived`: the target has archived it, so that it stays as it is.' }),
        difference: z
          .array(z.string())
          .openapi({ description: 'A line for each value: `~` before → after, `+` added, `-` removed.' }),
        missing: z.array(z.string()).openapi({
          description:
            'What it names and the target lacks: snippets, without which nothing is written (409), and translations.',
        }),
        tooLong: z.string().optional().openapi({
          description: 'Its texts in the target are longer than those of a campaign may be: nothing is written (409).',
        }),
      }),
    ),
  })
  .openapi('CopiedCampaigns')

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
      body: copyBody,
      answer: { status: 200, schema: copiedSchema },
      errors: ['request/not-found', 'campaign/not-found', 'campaign/invalid-definition', 'request/conflict'],
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
      const portables = await copyCampaigns.read(from, body.keys)
      return copyCampaigns.transfer(to, portables, body, changedBy(call))
    },
  )
}

// Serves who has the editor of a campaign open; each open editor asks every few seconds.

import { campaignEditors } from '../../../contract/resources/campaign-editors.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute, DASHBOARD_PATH } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

export function addDashboardCampaignEditorsRoute(http: Http, { followEditors }: Pick<Services, 'followEditors'>): void {
  addRoute(
    http,
    {
      method: 'post',
      path: `${DASHBOARD_PATH}/campaigns/:id/editors`,
      summary: 'Say that the editor of a campaign is open, for 15 seconds, and read who else has it open',
      tag: 'Dashboard environments',
      caller: 'environment',
      role: 'editor',
      answer: { status: 200, schema: campaignEditors },
      errors: ['campaign/not-found'],
    },
    (call) => {
      const { id = '' } = call.params as { id?: string }
      // A command has no page.
      return followEditors(call.environment.id, id, 'person' in call ? call.person : undefined)
    },
  )
}

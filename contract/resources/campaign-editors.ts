// Describes who has the editor of a campaign open.

import { z } from 'zod'

export const campaignEditors = z
  .object({
    revision: z.number().int().meta({ description: 'Of the campaign: a newer one than the shown one is read anew.' }),
    editors: z
      .array(z.object({ name: z.string(), email: z.string() }))
      .meta({ description: 'The other people who have the editor open, by their names.' }),
  })
  .meta({ id: 'CampaignEditors' })
export type CampaignEditorsAnswer = z.output<typeof campaignEditors>

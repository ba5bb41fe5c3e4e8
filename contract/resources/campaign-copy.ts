// Describes copies of campaigns from one environment of an organisation to another.

import { z } from 'zod'

const MAX_KEYS = 1000

export const campaignCopy = z
  .object({
    to: z.string().meta({ description: 'Another environment of the same organisation.', example: 'env_…' }),
    keys: z.array(z.string().max(256)).max(MAX_KEYS).default([]).meta({ description: 'Empty: all.' }),
    apply: z.boolean().default(false).meta({ description: 'Without it, the campaigns are only compared.' }),
    publish: z
      .boolean()
      .default(false)
      .meta({ description: 'Publishes what was changed, too, or asks for its approval.' }),
  })
  .meta({ id: 'CampaignCopy' })

/** `publish`: the drafts are equal, but another version is published. */
const copiedCampaign = z.object({
  key: z.string(),
  action: z
    .enum(['create', 'change', 'publish', 'same', 'archived'])
    .meta({ description: '`archived`: the target has archived it, so that it stays as it is.' }),
  difference: z
    .array(z.string())
    .meta({ description: 'A line for each value: `~` before → after, `+` added, `-` removed.' }),
  missing: z.array(z.string()).meta({
    description:
      'What it names and the target lacks: snippets, without which nothing is written (409), and translations.',
  }),
  endsRequestOf: z.string().optional().meta({
    description: 'Who asked to publish it in the target: the copy ends that request.',
  }),
  tooLong: z.string().optional().meta({
    description: 'Its texts in the target are longer than those of a campaign may be: nothing is written (409).',
  }),
})
export const copiedCampaigns = z
  .object({ applied: z.boolean(), changes: z.array(copiedCampaign) })
  .meta({ id: 'CopiedCampaigns' })

export type CampaignCopyInput = z.input<typeof campaignCopy>
export type CopiedCampaign = z.output<typeof copiedCampaign>
export type CopiedCampaigns = z.output<typeof copiedCampaigns>

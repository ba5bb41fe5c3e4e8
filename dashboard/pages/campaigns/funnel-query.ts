// Reads window and channel of the figures of a campaign from the address, so that a link shows the same; else its own channel.

import { CHANNELS, type Channel, WINDOWS, type Window } from '../../../contract/delivery.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { toWords } from '../../lib/format.ts'
import { sendsBy } from './definition.ts'

export const WINDOW_LABELS: Readonly<Record<Window, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  all: 'All time',
}
export const WINDOW_CHOICES = WINDOWS.map((one) => [one, WINDOW_LABELS[one]] as const)
export const CHANNEL_CHOICES = CHANNELS.map((one) => [one, toWords(one)] as const)

export const windowOf = (query: URLSearchParams): Window => WINDOWS.find((one) => one === query.get('window')) ?? '7d'

/** Without a channel in the address: the first by which the draft sends. */
export const channelOf = (query: URLSearchParams, { draft }: Pick<CampaignAnswer, 'draft'>): Channel =>
  CHANNELS.find((one) => one === query.get('channel')) ?? CHANNELS.find((one) => sendsBy(draft, one)) ?? 'inbox'

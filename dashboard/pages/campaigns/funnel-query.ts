// Reads window and channel of the figures of a campaign from the address, so that a link shows the same; else its own channel.

import { CHANNELS, type Channel, WINDOWS, type Window } from '../../../contract/delivery.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { sendsBy } from './definition.ts'

export const windowOf = (query: URLSearchParams): Window => WINDOWS.find((one) => one === query.get('window')) ?? '7d'

/** Without a channel in the address: the first by which the draft sends. */
export const channelOf = (query: URLSearchParams, { draft }: Pick<CampaignAnswer, 'draft'>): Channel =>
  CHANNELS.find((one) => one === query.get('channel')) ?? CHANNELS.find((one) => sendsBy(draft, one)) ?? 'inbox'

// Reads window and channel of the figures of a campaign from the address, so that a link shows the same.

import { CHANNELS, type Channel, WINDOWS, type Window } from '../../../contract/delivery.ts'

export const windowOf = (query: URLSearchParams): Window => WINDOWS.find((one) => one === query.get('window')) ?? '7d'

export const channelOf = (query: URLSearchParams): Channel =>
  CHANNELS.find((one) => one === query.get('channel')) ?? 'inbox'

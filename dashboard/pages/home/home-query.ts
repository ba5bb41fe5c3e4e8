// Reads window and channel of the home from the address, so that a link shows the same.

import { CHANNELS, type Channel, WINDOWS, type Window } from '../../../contract/delivery.ts'

export function homeQuery(query: URLSearchParams): { window: Window; channel: Channel } {
  return {
    window: WINDOWS.find((one) => one === query.get('window')) ?? '7d',
    channel: CHANNELS.find((one) => one === query.get('channel')) ?? 'inbox',
  }
}

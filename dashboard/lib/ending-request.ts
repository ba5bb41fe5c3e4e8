// Says whose requests to publish end by what a person is about to do.

import type { CampaignAnswer } from '../../contract/resources/campaign.ts'

const NAMES = new Intl.ListFormat('en')

/** @param askers Addresses; undefined: nobody asked. @param me The own address. @returns Empty where no request ends. */
export function endingWords(askers: readonly (string | undefined)[], me: string): string {
  const names = [...new Set(askers)].flatMap((one) => (one === undefined ? [] : one === me ? 'you' : one))
  if (names.length === 0) return ''
  if (names.length > 1)
    return `The requests of ${NAMES.format(names)} to publish end: nobody can approve them any more.`
  const whose = names[0] === 'you' ? 'Your request' : `The request of ${names[0]}`
  return `${whose} to publish ends: nobody can approve it any more.`
}

/** @returns who asks for what waits */
export const askerOf = ({ pendingPublish }: Pick<CampaignAnswer, 'pendingPublish'>): string | undefined =>
  pendingPublish?.state === 'waiting' ? pendingPublish.askedBy : undefined

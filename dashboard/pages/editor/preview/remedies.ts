// Says where it is changed that a user does not get a message: in the draft, or on a page.

import type { Remedy } from '../../../../contract/resources/campaign-explanation.ts'
import type { Draft } from '../../../editor/step-tree.ts'
import type { PageName } from '../../../routing/routes.ts'
import { type Place, placeOfPath, placeOfStep } from '../publish/place-words.ts'

export interface RemedyWay {
  label: string
  /** In the draft. */
  place?: Place
  /** The page where it is changed. */
  page?: PageName
  id?: string
  query?: Readonly<Record<string, string>>
}

interface Known {
  draft: Draft
  campaignId: string
  environmentId: string
  /** Of the notification config of the draft; undefined: there is none. */
  configId: string | undefined
}

/** @returns undefined for a remedy that has no place of its own, such as to publish the draft */
export function remedyWay(remedy: Remedy, known: Known): RemedyWay | undefined {
  const { kind, userId = '', address, enricher } = remedy
  switch (kind) {
    case 'trigger':
    case 'condition':
    case 'step':
      return inDraft(remedy, known.draft)
    case 'user':
      return { label: 'See the user', page: 'user', id: userId }
    case 'preference':
      return { label: 'See the preferences of the user', page: 'user', id: userId }
    case 'suppression':
      return {
        label: 'See the suppression',
        page: 'suppressions',
        query: address === undefined ? { userId } : { address },
      }
    case 'category':
      return known.configId === undefined
        ? undefined
        : { label: 'See the category', page: 'config', id: known.configId }
    case 'mail-account':
      return { label: 'Connect a mail account', page: 'integrations' }
    case 'sandbox':
      return { label: 'See the sandbox', page: 'environment', id: known.environmentId }
    case 'enricher':
      return { label: 'See the enricher', page: 'enricher', id: enricher ?? '' }
    case 'resume':
      return { label: 'See the campaign', page: 'campaign', id: known.campaignId }
    case 'publish':
      return undefined
  }
}

function inDraft({ path, stepId }: Remedy, draft: Draft): RemedyWay | undefined {
  const place = path === undefined ? placeOfStep(draft, stepId ?? '') : placeOfPath(draft, path)
  return place && { label: `Change it: ${place.words}`, place }
}

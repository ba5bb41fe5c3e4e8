// Says where it is changed that a step of a draft does not send, with the page of the cause.

import type { PageName } from '../../../routing/routes.ts'
import type { TriedStep } from './path-words.ts'

export interface Remedy {
  label: string
  page: PageName
  id?: string
  query?: Readonly<Record<string, string>>
}

/** @returns undefined where nothing has to be changed, or the draft itself is what has to */
export function remedyOf({ outcome, reason, inputs }: TriedStep, userId: string): Remedy | undefined {
  if (outcome !== 'skipped' && outcome !== 'failed') return undefined
  const code = typeof inputs.reason === 'string' ? inputs.reason : ''
  if (code === 'suppressed') return { label: 'See the suppression', page: 'suppressions', query: { userId } }
  if (code === 'preference') return { label: 'See the preferences of the user', page: 'user', id: userId }
  if (code === 'quiet-hours') return { label: 'See the quiet hours of the user', page: 'user', id: userId }
  if (code === 'no-address' || reason?.includes('no e-mail address'))
    return { label: 'See the profile of the user', page: 'user', id: userId }
  if (code === 'no-provider') return { label: 'Connect a mail account', page: 'integrations' }
  if (code === 'enricher-error') return { label: 'See the enrichers', page: 'enrichers' }
  return undefined
}

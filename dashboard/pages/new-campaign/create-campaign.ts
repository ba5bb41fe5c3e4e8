// Creates a campaign as a draft, and goes to its page.

import { MAX_KEY_CHARS } from '../../../contract/key.ts'
import { ApiFailure } from '../../api/client.ts'
import type { AppContext } from '../../shell/context.ts'
import { freeKey } from './propose-key.ts'

/** A definition as a person begins with it; the API checks it. */
export type Draft = Readonly<Record<string, unknown>>

/** @throws ApiFailure with each fault at its path; a key that is taken is a fault of `key` */
export async function createDraft({ api }: AppContext, draft: Draft): Promise<string> {
  try {
    return (await api.createCampaign(draft)).id
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.body.code !== 'campaign/key-taken') throw error
    throw new ApiFailure(error.status, { ...error.body, details: [{ path: 'key', message: error.message }] })
  }
}

export function goToDraft({ router, link, notify }: AppContext, id: string): void {
  router.go(link('campaign-editor', id))
  notify('The draft is created. Publish it when it is ready.')
}

/** @returns The key, or one like it that no campaign of the environment has. */
export async function findFreeKey({ api }: AppContext, key: string, signal?: AbortSignal): Promise<string> {
  const base = key.slice(0, MAX_KEY_CHARS - 5)
  const { data } = await api.campaigns({ q: base, limit: 100 }, signal)
  return freeKey(key, new Set(data.map((campaign) => campaign.key)))
}

// Puts the element into a page that a test has opened, as a site would.

import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { GivenEdge } from '../../edge/test/support/given.ts'

/** What a site writes on the tag. */
export function tagOf(edge: GivenEdge, userId: string): Record<string, string> {
  const { frontApiKey, authSecretKey } = edge.demo.environments.dev
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  return { 'api-key': frontApiKey, 'user-id': userId, token }
}

/** Signed in with a token that its backend minted; into `#slot`, or into `main` when it is inline. */
export async function mount(
  page: Page,
  edge: GivenEdge,
  userId: string,
  attributes: Record<string, string> = {},
): Promise<void> {
  const all = { ...tagOf(edge, userId), ...attributes }
  await page.evaluate((all) => {
    const center = document.createElement('notification-center')
    for (const [name, value] of Object.entries(all)) center.setAttribute(name, value)
    center.addEventListener('nc-ready', () => center.setAttribute('data-ready', ''))
    if (all.mode === 'inline') center.className = 'place'
    document.querySelector(all.mode === 'inline' ? 'main' : '#slot')?.append(center)
  }, all)
}

// Lets mails leave the demo's environment `dev`, which is not in production.

import type { GivenEdge } from './given.ts'
import { givenNc } from './given-nc.ts'

/** Sets the sandbox before the first event, so that no server has read the usual one. */
export async function openSandbox({ demo, settings }: Pick<GivenEdge, 'demo' | 'settings'>): Promise<void> {
  await givenNc(settings).json(`env set-sandbox --env ${demo.environments.dev.id} --mode off`)
}

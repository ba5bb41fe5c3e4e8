// Lets mails leave the environments of a benchmark, none of which is in production.

import type { Edge } from '../edges.ts'
import { callNc } from '../nc.ts'

/** Call it before the first event. */
export async function openSandboxes({ settings }: Edge): Promise<void> {
  const environments = await callNc<{ id: string }[]>(settings, 'env', 'list')
  for (const { id } of environments) await callNc(settings, 'env', 'set-sandbox', '--env', id, '--mode', 'off')
}

// Creates a second environment in the demo's organisation, for benchmarks in which one environment must not delay another.

import { type Customer, createCustomer } from './customer.ts'
import type { Edge } from './edges.ts'
import { callNc } from './nc.ts'

/** @returns The calls of the new environment by its key. They sign in users of the demo's environment. */
export async function createOtherCustomer(edge: Edge, name: string): Promise<Customer> {
  const [organisation] = await callNc<{ id: string }[]>(edge.settings, 'org', 'list')
  if (organisation === undefined) throw new Error('The demo has no organisation.')
  const words = ['env', 'create', '--org', organisation.id, '--name', name]
  const { secrets } = await callNc<{ secrets: { sdkSecretKey: string } }>(edge.settings, ...words)
  return createCustomer(edge.address, edge.dataDir, secrets.sdkSecretKey)
}

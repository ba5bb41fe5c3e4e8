// Answers the enricher calls of walkers with an order and its price.

import { answer, type Endpoint, startPlainEndpoint } from '../support/endpoint.ts'

export async function startWalkEndpoint(): Promise<Endpoint> {
  const endpoint = await startPlainEndpoint()
  endpoint.handle = (_, response, { body }) =>
    answer(response, 200, { ok: true, data: { item: `lamp ${body.params.n}`, total: 12 } })
  return endpoint
}

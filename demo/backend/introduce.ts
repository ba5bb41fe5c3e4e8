// Registers the shop's customers, topic subscriptions and enrichers at its start by the public API.

import { type DemoFile, ENVIRONMENTS } from './demo-file.ts'
import { createEdgeApi, type EdgeAnswer } from './edge-api.ts'
import { ORDER_DETAILS } from './enrichers.ts'
import { PEOPLE, WAITLIST } from './people.ts'

export interface Introduction {
  demo: DemoFile
  edgeUrl: string
  /** URL of this shop's enrichers in dev, as the edge reaches it. */
  enricherUrl: string
}

/** Runs at every start, because URLs change. @returns the refused calls */
export async function introduceShop({ demo, edgeUrl, enricherUrl }: Introduction): Promise<EdgeAnswer[]> {
  const answers: EdgeAnswer[] = []
  for (const environment of ENVIRONMENTS) {
    const edge = createEdgeApi(edgeUrl, demo.environments[environment])
    for (const { userId, ...profile } of PEOPLE) answers.push(await edge.put(`/v1/users/${userId}`, profile))
    const path = `/v1/topics/${encodeURIComponent(WAITLIST.topic)}/subscribers`
    answers.push(await edge.put(path, { add: WAITLIST.subscribers, remove: [] }))
  }
  // In prod the key may not manage; the seed has registered the enricher there.
  const dev = createEdgeApi(edgeUrl, demo.environments.dev)
  answers.push(await dev.put(`/v1/enrichers/${ORDER_DETAILS}`, { url: enricherUrl }))
  return answers.filter((answer) => answer.status >= 300)
}

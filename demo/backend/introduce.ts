// What the shop tells the edge at its start, through the public API: its customers, who waits for what, and where its enrichers are.

import { type DemoFile, ENVIRONMENTS, type EnvironmentName } from './demo-file.ts'
import { createEdgeApi, type EdgeAnswer } from './edge-api.ts'
import { ORDER_DETAILS } from './enrichers.ts'
import { PEOPLE, WAITLIST } from './people.ts'

export interface Introduction {
  demo: DemoFile
  edgeUrl: string
  /** Where the edge reaches this shop's enrichers. */
  enricherUrl(environment: EnvironmentName): string
}

/** Called at every start, for addresses change; answers what was refused. */
export async function introduceShop({ demo, edgeUrl, enricherUrl }: Introduction): Promise<EdgeAnswer[]> {
  const answers: EdgeAnswer[] = []
  for (const environment of ENVIRONMENTS) {
    const edge = createEdgeApi(edgeUrl, demo.environments[environment])
    for (const { userId, ...profile } of PEOPLE) answers.push(await edge.put(`/v1/users/${userId}`, profile))
    const path = `/v1/topics/${encodeURIComponent(WAITLIST.topic)}/subscribers`
    answers.push(await edge.put(path, { add: WAITLIST.subscribers, remove: [] }))
  }
  // In prod a key may not manage, so nobody answers there: its campaign goes on without the details.
  const dev = createEdgeApi(edgeUrl, demo.environments.dev)
  answers.push(await dev.put(`/v1/enrichers/${ORDER_DETAILS}`, { url: enricherUrl('dev') }))
  return answers.filter((answer) => answer.status >= 300)
}

// The real webhook payloads of @octokit/webhooks-examples, all of its editions, as tracked events (issue part 1, real input).

import { createRequire } from 'node:module'

/** github.com and the five server editions that the package has. */
export const EDITIONS = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35'] as const

interface WebhookExamples {
  name: string
  examples: (Record<string, unknown> & { action?: unknown })[]
}

export interface GithubEvent {
  /** `github.issues.opened`, or `github.push` where GitHub has no action. */
  name: string
  /** GitHub's word for the webhook: `issues`, `push`. */
  type: string
  /** Where it stands in the package, so that a repeated run names it alike. */
  place: string
  properties: Record<string, unknown>
}

/** In the package's order; reads about 9 MB. */
export function readGithubEvents(): GithubEvent[] {
  const require = createRequire(import.meta.url)
  return EDITIONS.flatMap((edition) => {
    const webhooks = require(`@octokit/webhooks-examples/${edition}/index.json`) as WebhookExamples[]
    return webhooks.flatMap(({ name: type, examples }) =>
      examples.map((properties, index) => ({
        name: typeof properties.action === 'string' ? `github.${type}.${properties.action}` : `github.${type}`,
        type,
        place: `${edition}:${type}:${index}`,
        properties,
      })),
    )
  })
}

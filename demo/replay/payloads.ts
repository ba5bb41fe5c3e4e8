// Converts the real webhook payloads of @octokit/webhooks-examples, all editions, to tracked events.

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
  /** GitHub's name of the webhook: `issues`, `push`. */
  type: string
  /** Place in the package, so that a repeated run uses the same name. */
  place: string
  properties: Record<string, unknown>
}

/** Reads all events in the package's order, about 9 MB. */
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

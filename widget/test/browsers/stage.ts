// A real service, a line to it that can be cut, a page of some site under the strictest policy, and one browser: what the scenarios play on.

import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { InboxMessage } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../../../edge/test/support/given.ts'
import type { TestBrowser } from '../../../tools/test/browsers/driver.ts'
import { startHostPage } from '../../gallery/host-page.ts'
import { fillInbox, publishSamples } from '../../gallery/sample-inbox.ts'
import { type Line, openLine } from './line.ts'
import { startVisit, type Visit } from './visit.ts'

export type Missing = 'popover' | 'storage' | 'socket' | 'locks' | 'data'

export interface Stage {
  edge: GivenEdge
  line: Line
  browser: TestBrowser
  /** A user whom no other scenario has. */
  newUser(): string
  track(userId: string, name: string, properties?: object): Promise<void>
  /** Seven messages of many kinds. */
  fill(userId: string): Promise<void>
  /** The inbox as the server has it. */
  inboxOf(userId: string, query?: string): Promise<InboxMessage[]>
  /** A window of the browser with the user's element in it; `without` takes parts of the browser away. */
  visit(userId: string, options?: { without?: Missing; attributes?: Record<string, string> }): Promise<Visit>
  /** Closes the scenario's windows, none of which may have found fault. */
  endScenario(): Promise<void>
  close(): Promise<void>
}

export async function openStage(openBrowser: () => Promise<TestBrowser>): Promise<Stage> {
  if (!existsSync(new URL('../../dist/notification-center.js', import.meta.url)))
    throw new Error('build the widget first')
  const starting = openBrowser()
  // The server is started meanwhile; the failure of one ends the other.
  starting.catch(() => {})
  const line = await openLine()
  const edge = await givenEdge({ RATE_LIMITS: 'off', PUBLIC_URL: line.url })
  line.lead(edge.url)
  const host = await startHostPage(edge.url, line.url)
  const closeServers = async (): Promise<void> => {
    await host.close()
    await line.close()
    await edge.stop()
  }
  const browser = await starting.catch(async (error) => {
    await closeServers()
    throw error
  })
  await publishSamples(edge)
  const { frontApiKey, authSecretKey } = edge.demo.environments.dev
  let users = 0
  let visits: Visit[] = []
  return {
    edge,
    line,
    browser,
    newUser: () => `visitor-${++users}`,
    track: async (userId, name, properties = {}) => {
      const { status, body } = await edge.track({ name, userId, properties })
      if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`)
    },
    fill: (userId) => fillInbox(edge, userId),
    inboxOf: async (userId, query) => (await edge.page(await edge.signIn(userId), query)).data,
    visit: async (userId, { without, attributes = {} } = {}) => {
      const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
      const visit = await startVisit(await browser.openWindow(), {
        url: host.url + (without === undefined ? '/' : `/?without=${without}`),
        attributes: { 'api-key': frontApiKey, 'user-id': userId, token, 'base-url': line.url, ...attributes },
      })
      visits.push(visit)
      return visit
    },
    endScenario: async () => {
      line.mend()
      const open = visits
      visits = []
      try {
        for (const visit of open) await visit.isClean()
      } finally {
        for (const visit of open) await visit.close()
      }
    },
    close: async () => {
      await browser.close()
      await closeServers()
    },
  }
}

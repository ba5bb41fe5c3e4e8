// Reads a user's inbox like the widget: sign-in, head, pages.

import { createClient } from '../backend/client.ts'
import type { DemoFile } from '../backend/demo-file.ts'

interface Head {
  epoch: string
  seq: number
  unread: number
  unopened: number
}

interface Message {
  id: string
  title: string
  body: string
  link: string | null
  imageUrl: string | null
  icon: string | null
  unopened: boolean
  readAt: string | null
}

export interface Inbox {
  head: Head
  /** All messages that are neither archived nor snoozed. */
  messages: Message[]
  /** Ids of the archived and snoozed messages. */
  asideIds: string[]
}

const ATTEMPTS = 10

export function createInboxReader(edgeUrl: string, demo: DemoFile) {
  const client = createClient(edgeUrl, demo.environments.dev)

  async function signIn(userId: string): Promise<{ sessionToken: string; inbox: Head }> {
    const token = client.generateHashedToken(userId)
    const response = await fetch(`${edgeUrl}/v1/users/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey: demo.environments.dev.frontApiKey, userId, token }),
    })
    if (!response.ok) throw new Error(`Sign-in of ${userId} was refused: ${response.status} ${await response.text()}`)
    return (await response.json()) as { sessionToken: string; inbox: Head }
  }

  async function readPages(sessionToken: string, filter: string): Promise<Message[]> {
    const messages: Message[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const response: Response = await fetch(`${edgeUrl}/v1/inbox/messages?filter=${filter}&limit=100${more}`, {
        headers: { authorization: `Bearer ${sessionToken}` },
      })
      if (!response.ok) throw new Error(`The inbox was refused: ${response.status} ${await response.text()}`)
      const page = (await response.json()) as { data: Message[]; nextCursor: string | null }
      messages.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== null)
    return messages
  }

  async function endSession(sessionToken: string): Promise<void> {
    await fetch(`${edgeUrl}/v1/inbox/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${sessionToken}` },
    })
  }

  return {
    /** Reports an event on the user's newest message like the widget; does nothing for an empty inbox. */
    async register(userId: string, eventType: 'read' | 'opened' | 'clicked'): Promise<void> {
      const { sessionToken } = await signIn(userId)
      const [newest] = await readPages(sessionToken, 'all')
      if (newest !== undefined) {
        await fetch(`${edgeUrl}/v1/notification/event/register`, {
          method: 'POST',
          headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ messageId: newest.id, eventType }),
        })
      }
      await endSession(sessionToken)
    },
    /** Reads head and pages; repeats it when the inbox changed in between, for example by an open page. */
    async read(userId: string): Promise<Inbox> {
      for (let attempt = 1; ; attempt++) {
        const before = await signIn(userId)
        const messages = await readPages(before.sessionToken, 'all')
        const aside = [
          ...(await readPages(before.sessionToken, 'archived')),
          ...(await readPages(before.sessionToken, 'snoozed')),
        ]
        const after = await signIn(userId)
        await endSession(before.sessionToken)
        await endSession(after.sessionToken)
        if (after.inbox.seq === before.inbox.seq)
          return { head: after.inbox, messages, asideIds: aside.map(({ id }) => id) }
        if (attempt === ATTEMPTS)
          throw new Error(`The inbox of ${userId} does not hold still; is something else writing to it?`)
      }
    },
  }
}

// Sends mails into the mailbox of an edge, and reads the signed addresses in them.

import { expect } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { createLinkTokens } from '../../auth/link-token.ts'
import type { ServeOptions } from '../../serve.ts'
import { type GivenEdge, givenEdge } from './given.ts'

const MASTER_KEY = Buffer.alloc(32, 9)
/** Signs and reads as the edge does. */
export const tokens = createLinkTokens([new Uint8Array(MASTER_KEY)], 'eu')

/** What a person's browser sends. */
export const PERSON = {
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Safari/605.1.15',
}

export interface TimelineEvent {
  eventType: string
  automated: boolean
  implied: boolean
  source: string
  at: string
}

export interface SentMail {
  userId: string
  messageId: string
  html: string
  /** The paths in links, in their order. */
  clicks: string[]
  /** The path of the pixel. */
  open: string
  /** The path in `List-Unsubscribe`; empty where the mail has none. */
  unsubscribe: string
}

export interface GivenMails {
  edge: GivenEdge
  key: string
  /** Publishes a campaign on an event of its name, with an inbox message and a mail. */
  publishMail(name: string, email: object, extra?: object): Promise<string>
  /** Sends a mail to a new user, and waits until its record says so. */
  sendMail(event: string): Promise<SentMail>
  /** Fetches a path as a person, and follows no redirect. */
  visit(path: string, options?: RequestInit): Promise<Response>
  timelineOf(messageId: string): Promise<TimelineEvent[]>
  /** Tracks another event for a user. @returns the status of its mail */
  outcomeOf(event: string, userId: string): Promise<{ status: string; statusReason: string | null } | undefined>
}

/** @param env and `options` as those of `givenEdge` */
export async function givenMails(env: Record<string, string> = {}, options: ServeOptions = {}): Promise<GivenMails> {
  const edge = await givenEdge({ MASTER_KEY: MASTER_KEY.toString('base64'), ...env }, options)
  const key = edge.demo.environments.dev.sdkSecretKey
  let users = 0
  const read = async <T>(path: string) => (await edge.call<T>('GET', path, { key })).body
  return {
    edge,
    key,
    publishMail: (name, email, extra) =>
      edge.publish({
        key: name,
        name,
        trigger: { event: name },
        steps: [
          { id: 'tell', type: 'inbox', title: 'Sent' },
          { id: 'mail', type: 'email', subject: 'Sent', ...email },
        ],
        ...extra,
      }),
    async sendMail(event) {
      const userId = `reader-${++users}`
      const address = `${userId}@example.org`
      const { eventId } = (await edge.track({ name: event, userId, user: { email: address, name: userId } })).body
      const find = async () => {
        const { data } = await read<Page<{ messageId: string; to: { address: string } }>>('/v1/email/mailbox')
        return data.find(({ to }) => to.address === address)
      }
      const hasFailed = async () => {
        const { data } = await read<Page<{ channel: string; status: string }>>(`/v1/deliveries?eventId=${eventId}`)
        return data.some(({ channel, status }) => channel === 'email' && status === 'failed')
      }
      // A mail that is composed with the config of before may fail; its caller sends another one.
      await expect.poll(async () => (await find()) !== undefined || (await hasFailed())).toBe(true)
      const { messageId } = (await find()) ?? {}
      if (messageId === undefined) throw new Error('The mail has failed.')
      // The mailbox shows a mail before its acceptance is recorded.
      const status = async () => (await read<{ status: string }>(`/v1/deliveries/${messageId}`)).status
      await expect.poll(status).toBe('sent')
      const { html, eml } = await read<{ html: string; eml: string }>(`/v1/email/mailbox/${messageId}`)
      const [open] = pathsOf(html, /src="([^"]*\/v1\/t\/o\/[^"]*)"/g)
      const [unsubscribe = ''] = pathsOf(eml.replace(/\r\n[ \t]/g, ''), /^List-Unsubscribe: ?<([^>]+)>/gm)
      const clicks = pathsOf(html, /href="([^"]*\/v1\/t\/c\/[^"]*)"/g)
      return { userId, messageId, html, clicks, open: open ?? '', unsubscribe }
    },
    visit: (path, options = {}) =>
      fetch(edge.url + path, { redirect: 'manual', ...options, headers: { ...PERSON, ...options.headers } }),
    timelineOf: async (messageId) =>
      (await read<{ timeline: TimelineEvent[] }>(`/v1/deliveries/${messageId}`)).timeline,
    async outcomeOf(event, userId) {
      const { eventId } = (await edge.track({ name: event, userId })).body
      const path = `/v1/deliveries?eventId=${eventId}&channel=email`
      return (await read<Page<{ status: string; statusReason: string | null }>>(path)).data[0]
    },
  }
}

function pathsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, url = '']) => new URL(url).pathname)
}

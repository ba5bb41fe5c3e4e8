// Starts the SMTP server of a benchmark as a process of its own.

import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import type { Bench } from '../benchmark.ts'
import { answerOf, ask } from '../children.ts'
import type { Accepted, ServerCommand } from './smtp-server.ts'

/** The benchmark fails when no mail arrives for so long. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 20

export interface SmtpServer {
  port: number
  pid: number
  /** Settings of an edge whose mails go to this server. */
  settings: Record<string, string>
  count(): Promise<Accepted>
  /** Waits for so many mails since the start. @throws when none arrives for a minute */
  waitFor(mails: number): Promise<Accepted>
  /**
   * Returns the milliseconds between event and acceptance of the mails with this mark since the last call, as soon as
   * there are so many. @throws when they do not arrive within a minute
   */
  takeLatencies(mark: string, mails: number): Promise<number[]>
  /** Returns the last mail in its parts, as nodemailer takes them. */
  readLast(): Promise<object>
}

export async function startSmtpServer({ edges }: Bench): Promise<SmtpServer> {
  const child = edges.fork('bench/mail/smtp-server.ts', [])
  const { port } = await answerOf<{ port: number }>(child)
  const send = <T>(command: ServerCommand) => ask<T>(child, command)
  const count = () => send<Accepted>('count')
  return {
    port,
    pid: child.pid ?? 0,
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
      EMAIL_FROM: 'Shop <hello@shop.example>',
      OUTBOUND_ALLOW: '127.0.0.0/8',
    },
    count,
    async waitFor(mails) {
      let last = await count()
      let since = performance.now()
      while (last.mails < mails) {
        await delay(LOOK_EVERY_MS)
        const found = await count()
        if (found.mails > last.mails) since = performance.now()
        if (performance.now() - since > PATIENCE_MS) throw new Error(`${found.mails} of ${mails} mails arrived`)
        last = found
      }
      return last
    },
    async takeLatencies(mark, mails) {
      const latencies: number[] = []
      const until = performance.now() + PATIENCE_MS
      for (;;) {
        latencies.push(...(await send<number[]>({ takeLatencies: mark })))
        if (latencies.length >= mails) return latencies
        if (performance.now() > until) throw new Error(`${latencies.length} of ${mails} mails arrived`)
        await delay(LOOK_EVERY_MS)
      }
    },
    async readLast() {
      const { from, to, subject, html, text, headers } = await PostalMime.parse(await send<string>('last'))
      const kept = headers.filter(({ key }) => key.startsWith('list-') || key === 'auto-submitted')
      return { from, to, subject, html, text, headers: Object.fromEntries(kept.map(({ key, value }) => [key, value])) }
    },
  }
}

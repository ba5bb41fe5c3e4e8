// Sends account mails, a few times while the mail server is out of reach. They wait in memory: the caller records what became of them.

import { setTimeout as delay } from 'node:timers/promises'
import type { Core } from '../../domain/core.ts'
import type { AccountMail, AccountMailPorts } from '../../domain/mail/account-mail.ts'
import type { OutgoingMail, SendOutcome } from '../../domain/mail/mail-provider.ts'

/** Milliseconds before each further attempt. */
const PAUSES_MS = [5_000, 30_000, 2 * 60_000]
/** The pauses, and the time limits of four attempts. A mail that is still being sent after it belongs to a process that ended. */
export const LONGEST_MS = 10 * 60_000
/** Mails that may wait at a time. */
const MOST = 1000

/** `sent`: the mail server took it. `unknown`: it may have. */
export type SentAccountMail = { state: 'sent'; error: null } | { state: 'failed' | 'unknown'; error: string }

export interface SendAccountMails {
  /** Sends what `write` returns. Never rejects. `kind` and `correlationId` are for the log. */
  send(
    write: () => Promise<AccountMail>,
    about: { kind: string; correlationId: string | undefined },
  ): Promise<SentAccountMail>
  /** Ends the pauses: no further attempt begins. */
  stop(): void
  /** Closes the connections, after the attempts in progress. */
  close(): Promise<void>
}

export function createSendAccountMails(
  deps: AccountMailPorts &
    Pick<Core, 'log'> & {
      /** Replaces the usual pauses. */
      pausesMs?: readonly number[] | undefined
      /** Receives each answer of the mail server, for the metrics. */
      onAnswer?(outcome: SendOutcome): void
    },
): SendAccountMails {
  const { sender, pausesMs = PAUSES_MS, log, onAnswer } = deps
  const stopping = new AbortController()
  let underWay = 0

  /** @returns False when no further attempt may begin. */
  async function pause(attempt: number): Promise<boolean> {
    const pauseMs = pausesMs[attempt - 1]
    if (pauseMs === undefined) return false
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    return !stopping.signal.aborted
  }

  async function deliver(
    mail: OutgoingMail,
    onRefused: (error: string, attempt: number) => void,
  ): Promise<SentAccountMail> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await sender.send(mail)
      onAnswer?.(outcome)
      if (outcome.outcome === 'accepted') return { state: 'sent', error: null }
      const error = withoutTokens(outcome.error)
      onRefused(error, attempt)
      if (outcome.outcome === 'unknown') return { state: 'unknown', error }
      if (outcome.outcome === 'refused' || !(await pause(attempt))) return { state: 'failed', error }
    }
  }

  return {
    async send(write, { kind, correlationId }) {
      if (underWay >= MOST) return { state: 'failed', error: 'Too many mails wait for the mail server.' }
      underWay++
      try {
        return await deliver(await deps.compose(await write()), (reason, attempt) =>
          log.warn('account mail not sent', { kind, attempt, reason, correlationId }),
        )
      } catch (error) {
        log.error('account mail failed', { kind, error, correlationId })
        return { state: 'failed', error: 'The mail could not be made.' }
      } finally {
        underWay--
      }
    },
    stop: () => stopping.abort(),
    close: () => sender.close(),
  }
}

/** A mail server may quote what it refuses, and the link is for its recipient alone. */
function withoutTokens(error: string): string {
  return error.replace(/nc_(invite|reset)_[\w-]+/gi, 'nc_$1_…')
}

// Tests that a way of mails is logged when it fails, again every ten minutes, and when it works again.

import { expect, test } from 'vitest'
import { OWN_SENDER } from '../../domain/mail/mail.ts'
import type { SendOutcome } from '../../domain/mail/mail-provider.ts'
import { createLog } from '../../lib/log.ts'
import { createWatchRoutes } from './watch-routes.ts'

const AWAY: SendOutcome = { outcome: 'unavailable', error: 'The mail server could not be reached.' }
const TAKEN: SendOutcome = { outcome: 'accepted', providerMessageId: null }

function givenWatch() {
  const lines: Record<string, unknown>[] = []
  const failing: unknown[] = []
  let now = 1_000_000
  const watch = createWatchRoutes({
    clock: { now: () => now },
    log: createLog('info', (line) => lines.push(JSON.parse(line))),
    onFailing: (provider, count) => failing.push([provider, count]),
  })
  return { watch, lines, failing, pass: (ms: number) => (now += ms) }
}

test('the own mail server that is away is logged once in ten minutes, with its words and the number of answers', () => {
  const { watch, lines, failing, pass } = givenWatch()
  const own = { integrationId: OWN_SENDER, provider: 'smtp' } as const
  for (let at = 0; at < 20; at++) watch(own, AWAY)
  pass(10 * 60_000)
  watch(own, AWAY)
  watch(own, TAKEN)
  watch(own, TAKEN)
  expect(
    lines.map(({ level, msg, setting, kind, reason, count }) => [level, msg, setting, kind, reason, count]),
  ).toEqual([
    ['warn', 'mails are not taken', 'SMTP_URL', 'smtp', AWAY.outcome === 'unavailable' && AWAY.error, 1],
    ['warn', 'mails are not taken', 'SMTP_URL', 'smtp', 'The mail server could not be reached.', 20],
    ['info', 'mails are taken again', 'SMTP_URL', 'smtp', undefined, undefined],
  ])
  expect(failing).toEqual([
    ['smtp', 1],
    ['smtp', 0],
  ])
})

test('integrations are watched one by one, and a refusal of one mail is no failure', () => {
  const { watch, lines, failing } = givenWatch()
  watch({ integrationId: 7, provider: 'ses' }, AWAY)
  watch({ integrationId: 8, provider: 'ses' }, { outcome: 'unknown', error: 'cut' })
  watch({ integrationId: 9, provider: 'ses' }, { outcome: 'refused', error: 'no such mailbox' })
  watch({ integrationId: 7, provider: 'ses' }, { outcome: 'refused', error: 'no such mailbox' })
  expect(lines.map(({ integrationId, reason }) => [String(integrationId).slice(0, 4), reason])).toEqual([
    ['int_', 'The mail server could not be reached.'],
    ['int_', 'cut'],
  ])
  expect(failing).toEqual([
    ['ses', 1],
    ['ses', 2],
  ])
})

// Tests that a mail which cannot be loaded delays no other one, and is given up without being loaded again.

import { expect, test } from 'vitest'
import type { WorkMark } from '../../domain/in-hand.ts'
import type { ClaimedMail, MailPlan } from '../../domain/mail/mail.ts'
import { createLog } from '../../lib/log.ts'
import { createSendMails } from './send-mails.ts'

const claimOf = (messageId: number, over: Partial<ClaimedMail> = {}): ClaimedMail => ({
  ...{ messageId, fence: 1, environmentId: 1, attempts: 0, firstAttemptAt: null, handedTo: null, permitFrom: null },
  ...{ claims: 1, crashes: 0, ...over },
})

/** Mails whose messages are gone, except for one with a version that cannot be compiled. */
function givenSending(faulty: number) {
  const loads: number[][] = []
  const commits: Record<number, object> = {}
  const marked: WorkMark[][] = []
  const deps = {
    log: createLog('silent'),
    clock: { now: () => 1000 },
    traces: undefined,
    inHand: {
      begin(marks: WorkMark[]) {
        marked.push(marks)
        return () => {}
      },
    },
    mails: {
      async load(claims: ClaimedMail[]) {
        const ids = claims.map(({ messageId }) => messageId)
        loads.push(ids)
        if (ids.includes(faulty)) throw new Error('stored step has an unknown type: nothing')
        return new Map()
      },
    },
    waits: { findContexts: async () => new Map() },
    sendPolicies: { findMany: async () => [] },
    async commitPlan({ messageId, change }: MailPlan) {
      commits[messageId] = change
      return { mail: 'changed' }
    },
  }
  return { ...createSendMails(deps as never), loads, commits, marked }
}

test('its neighbours are handled, and it is put off with the reason', async () => {
  const { handle, underWay, commits, marked } = givenSending(2)
  const ended: number[] = []
  await handle(
    [1, 2, 3].map((id) => claimOf(id)),
    ({ messageId }) => void ended.push(messageId),
  )
  const gone = { does: 'end', status: 'cancelled', reason: 'campaign-gone' }
  expect(commits).toMatchObject({ 1: gone, 3: gone })
  expect(commits[2]).toEqual({ does: 'release', at: 11_000, error: 'stored step has an unknown type: nothing' })
  expect([ended.toSorted(), [...underWay()]]).toEqual([[1, 2, 3], []])
  expect(marked[0]?.map(({ kind, id }) => [kind, id])).toEqual([1, 2, 3].map((id) => ['mail', id]))
})

test.each([
  ['after ten claims without an end', { claims: 11 }, { reason: 'retries-exhausted', isGivenUp: true }],
  ['after two ends of the process', { crashes: 2 }, { reason: 'retries-exhausted', isGivenUp: true }],
  ['when it may have arrived', { crashes: 2, handedTo: 7 }, { reason: 'outcome-unknown' }],
])('it is given up without being loaded, %s', async (_, over, change) => {
  const { handle, commits, loads } = givenSending(2)
  await handle([claimOf(2, over)])
  expect(loads.flat()).toEqual([])
  expect(commits[2]).toMatchObject({ does: 'end', status: 'failed', ...change })
})

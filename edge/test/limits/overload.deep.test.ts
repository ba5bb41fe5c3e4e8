// Tests floods of a real edge with low limits: codes, an exact ledger, and a queue that drains.

import { afterEach, expect, test } from 'vitest'
import { type Answer, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { acceptedOf, type BatchBody, listEvents, readMetric, sendBatch } from './send-batches.ts'

let given: GivenEdge
afterEach(() => given.stop())

test('a flood is answered with 202 or 503, each acknowledged event is stored once, and then all are accepted again', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 200 } })
  await given.publish(inboxCampaign('over', 'over.loaded'))
  const answers: Answer<BatchBody>[] = []
  let number = 0
  const callers = Array.from({ length: 40 }, async () => {
    for (let round = 0; round < 5; round++) answers.push(await sendBatch(given, number++, 20))
  })
  await Promise.all(callers)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 503]))
  for (const { headers, body } of answers.filter(({ status }) => status === 503)) {
    expect(body).toMatchObject({ code: 'service/unavailable', reason: 'overloaded' })
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('x-correlation-id')).toBeTruthy()
  }
  const accepted = acceptedOf(answers)
  expect(accepted.length).toBe(20 * answers.filter(({ status }) => status === 202).length)
  expect((await listEvents(given, 'dev')).sort()).toEqual(accepted.sort())

  await expect.poll(() => readMetric(given, 'nc_commit_backlog_plans')).toBe(0)
  expect((await sendBatch(given, number, 100)).status).toBe(202)
})

// Each call waits for commits of the flood, which take longer when the machine is busy.
test('one environment is served while another one floods', async () => {
  given = await givenEdge({ RATE_LIMITS: 'off' }, { loadLimits: { events: 200 } })
  let isOver = false
  let refused = 0
  const flood = Array.from({ length: 30 }, async (_, n) => {
    while (!isOver) if ((await sendBatch(given, n, 50)).status === 503) refused++
  })
  const statuses: number[] = []
  for (let i = 0; i < 25 || refused < 25; i++) {
    statuses.push((await given.track({ name: 'over.loaded', userId: 'u' }, 'prod')).status)
  }
  isOver = true
  await Promise.all(flood)
  expect(new Set(statuses)).toEqual(new Set([202]))
  expect((await listEvents(given, 'prod')).length).toBe(statuses.length)
})

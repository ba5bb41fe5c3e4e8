// Tests fair scheduling of commits: an environment that floods the queue delays another one by one turn only.

import { afterEach, expect, test } from 'vitest'
import { type EnvironmentName, type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
afterEach(() => given.stop())

const BATCHES = 16
const EVENTS = 500

function sendBatch(environment: EnvironmentName) {
  const { sdkSecretKey } = given.demo.environments[environment]
  const events = Array.from({ length: EVENTS }, (_, n) => ({ name: 'turn.taken', userId: `u_${n}` }))
  return given.call('POST', '/v1/events/track/batch', { key: sdkSecretKey, body: { sdkSecretKey, events } })
}

test('a single event is committed before thousands of earlier events of another environment', {
  timeout: 180_000,
}, async () => {
  // Small commit batches, so that the flood needs hundreds of turns.
  given = await givenEdge({ RATE_LIMITS: 'off' }, { queue: { batchPlans: 20 } })
  const answered: string[] = []
  const record = (sender: string) => (answer: { status: number }) => {
    answered.push(`${sender} ${answer.status}`)
  }
  const backlog = async () => {
    const { body } = await given.call<string>('GET', '/metrics')
    return Number(/^nc_commit_backlog_plans (\d+)$/m.exec(String(body))?.[1])
  }
  const flood = Array.from({ length: BATCHES }, () => sendBatch('dev').then(record('dev')))
  await expect.poll(backlog, { interval: 1 }).toBeGreaterThan(1000)
  await given.track({ name: 'turn.taken', userId: 'u' }, 'prod').then(record('prod'))
  const waiting = await backlog()
  await Promise.all(flood)

  expect(answered.filter((one) => one === 'prod 202')).toHaveLength(1)
  expect(answered.filter((one) => one === 'dev 202')).toHaveLength(BATCHES)
  // It was answered while hundreds of earlier requests still waited.
  expect(waiting).toBeGreaterThan(200)
  expect(answered.indexOf('prod 202')).toBeLessThan(BATCHES)
})

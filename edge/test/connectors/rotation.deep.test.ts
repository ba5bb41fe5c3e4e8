// Tests a rotation while deliveries arrive: none is refused in the overlap, and the old value within a second of its end.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'
import { callRepeatedly, refusal, waitForAnswers } from '../support/repeated-calls.ts'
import { runningNow } from '../support/within.ts'

let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

/** At most 50 deliveries in a second. */
const PAUSE_MS = 20

test('both values are accepted in the overlap, and the old one is refused within a second of its end', async ({
  annotate,
}) => {
  const source = await sources.create('stripe')
  let sent = 0
  const delivering = (secret: string) =>
    callRepeatedly(async () => {
      await pause(PAUSE_MS)
      sent++
      const payload = { id: `evt_${sent}`, type: 'payout.paid', data: { object: { customer: `u_${sent % 10}` } } }
      return (await sources.deliver(source, payload, { secret })).status
    })
  const old = delivering(source.verificationSecret)
  await waitForAnswers(old, 20)
  const rotated = await sources.change<{ state: string; verificationSecret: string }>(source.id, 'rotate', {
    overlap: 'PT2H',
  })
  expect(rotated).toMatchObject({ status: 200, body: { state: 'overlap' } })
  const fresh = delivering(rotated.body.verificationSecret)
  await Promise.all([waitForAnswers(old, 50), waitForAnswers(fresh, 50)])
  expect([old.failures(), fresh.failures()]).toEqual([0, 0])
  const inOverlap = old.answers.length + fresh.answers.length

  expect(await sources.change(source.id, 'retire', { confirm: true })).toMatchObject({ status: 200 })
  const endedAt = runningNow()
  await expect.poll(() => old.failures()).toBeGreaterThan(5)
  await expect.poll(() => runningNow() - endedAt).toBeGreaterThan(1100)
  await Promise.all([old.stop(), fresh.stop()])
  const measured = refusal(old, endedAt)
  await annotate(
    `${inOverlap} deliveries in the overlap, none refused; refused ${Math.round(measured.afterMs)} ms after it`,
  )
  expect(measured.late).toBe(0)
  expect(fresh.failures()).toBe(0)
  const accepted = [...old.answers, ...fresh.answers].filter(({ status }) => status === 200).length
  await expect
    .poll(() => sources.read(source.id))
    .toMatchObject({
      secret: { state: 'single' },
      counts: { accepted, refused: old.failures(), duplicates: 0 },
    })
})

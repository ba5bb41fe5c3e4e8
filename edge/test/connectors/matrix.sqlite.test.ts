// Tests each scheme of signatures with deliveries that are right, false or odd, byte by byte over HTTP.
// SQLite alone: what is tested lies before the store.

import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'
import { reportCounts } from '../support/report-counts.ts'
import { DELIVERY_CASES, type Delivery, OUTCOMES, type Outcome, type Right } from './delivery-cases.ts'
import { SCHEMES, type Scheme, type Signing } from './schemes.ts'

// The clock stands still, so that the tolerance is tested to the millisecond.
const NOW = Date.UTC(2026, 10, 26, 12)
let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge({ PUBLIC_URL: 'https://notify.example/behind' }, { clock: { now: () => NOW } })
  sources = givenSources(given)
})
afterAll(() => given.stop())

/** Sends the headers as they are listed, and no others that matter. @returns Status, and code or number of events. */
function send({ path, headers, body }: Delivery): Promise<string> {
  const lines = [['content-type', 'application/json'], ['content-length', String(body.length)], ...headers]
  return new Promise((resolve, reject) => {
    const sent = request(
      given.url + path,
      { method: 'POST', headers: [['host', 'localhost'], ...lines].flat() },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          const { code, accepted } = JSON.parse(text) as { code?: string; accepted?: number }
          resolve(code === undefined ? `${answer.statusCode}, ${accepted} accepted` : `${answer.statusCode} ${code}`)
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function rightDelivery(
  scheme: Scheme,
  { id: sourceId, url, verificationSecret }: CreatedSourceAnswer,
  id: string,
): Right {
  const body = Buffer.from(JSON.stringify(scheme.item(id)))
  const signing = { secret: verificationSecret, body, url, at: NOW }
  const sign = (other: Partial<Signing> = {}) => Object.entries(scheme.sign({ ...signing, ...other }))
  const path = `/v1/connectors/${scheme.provider}/${sourceId}`
  return { scheme, id, sourceId, path, headers: sign(), sign, ...signing }
}

test.each(SCHEMES)('$name: every case is answered as the contract has it, and counted', async (scheme) => {
  const source = await sources.create(scheme.provider, { allowUnsignedBatchTail: true, requireV3: false })
  const cases = DELIVERY_CASES.filter(({ of }) => of?.(scheme) ?? true)
  const answered: Record<string, string> = {}
  for (const [at, { name, change }] of cases.entries()) {
    const right = rightDelivery(scheme, source, `d${at}`)
    const { path, headers, body } = right
    answered[name] = await send({ path, headers, body, ...change(right) })
  }
  expect(answered).toEqual(Object.fromEntries(cases.map(({ name, outcome }) => [name, OUTCOMES[outcome]])))

  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length
  const accepted = count('one') + 1000 * count('thousand')
  // What is signed and cannot be taken is counted, too.
  const refused = count('refused') + count('invalid') + count('large')
  const counts = { accepted, refused, duplicates: 0, unreadable: 0, dropped: 0 }
  await expect.poll(() => sources.read(source.id)).toMatchObject({ counts })
  const outcomes = Object.keys(OUTCOMES) as Outcome[]
  reportCounts(
    `${scheme.name}, ${cases.length} cases`,
    Object.fromEntries(outcomes.map((one) => [OUTCOMES[one], count(one)])),
  )
})

test('a source that wants version 3 refuses the former ones of HubSpot', async () => {
  const source = await sources.create('hubspot')
  const answered = await Promise.all(
    SCHEMES.filter(({ provider }) => provider === 'hubspot').map(async (scheme) => {
      const { path, headers, body } = rightDelivery(scheme, source, scheme.name)
      return [scheme.name, await send({ path, headers, body })]
    }),
  )
  expect(Object.fromEntries(answered)).toEqual({
    'hubspot v1': OUTCOMES.refused,
    'hubspot v2': OUTCOMES.refused,
    'hubspot v3': OUTCOMES.one,
  })
})

test('the secret of one source does not open another', async () => {
  for (const scheme of SCHEMES) {
    const [mine, other] = [await sources.create(scheme.provider), await sources.create(scheme.provider)]
    const { path, body, sign } = rightDelivery(scheme, mine, 'other')
    const headers = sign({ secret: other.verificationSecret })
    expect(await send({ path, headers, body }), scheme.name).toBe(OUTCOMES.refused)
  }
})

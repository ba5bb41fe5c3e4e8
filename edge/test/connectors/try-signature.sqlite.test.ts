// Tests the trial of a signature with a pasted request: both signatures and what is signed, for owners and admins alone.
// SQLite alone: what is tested lies before the store.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { SOURCE_RECIPES } from '../../../contract/source-recipes.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { type GivenSources, givenSources } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
let admin: DashboardPerson
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
  admin = await givenDashboard(given).join(given.demo.organisation.id, 'admin@tried.example', 'admin')
})
afterAll(() => given.stop())

const SECRET = 'a-secret-that-nobody-sees'
const BODY = '{ "id": "1",\n  "type": "order.created" }'
const sign = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')
const { settings: calendly } = SOURCE_RECIPES.calendly
const { settings: github } = SOURCE_RECIPES.github
const create = (settings: object | undefined) => sources.create('hmac', { settings, verificationSecret: SECRET })

function pathOf({ id }: CreatedSourceAnswer): string {
  return `/v1/dashboard/environments/${given.demo.environments.dev.id}/sources/${id}/try-signature`
}
async function attempt(source: CreatedSourceAnswer, request: string, more: object = {}, person = admin) {
  const answer = await person.call('POST', pathOf(source), { body: { request, ...more } })
  expect(JSON.stringify(answer)).not.toContain(SECRET)
  return answer
}

test('a request that would be taken shows the same signature twice, and the string that is signed', async () => {
  const source = await create(calendly)
  const time = String(Math.floor(Date.now() / 1000))
  const signature = sign(`${time}.${BODY}`)
  const request = `POST /v1/x HTTP/1.1\r\nHost: example.com\r\nCalendly-Webhook-Signature: t=${time},v1=${signature}\r\n\r\n${BODY}`
  expect(await attempt(source, request)).toEqual({
    status: 200,
    body: {
      ok: true,
      reason: null,
      matches: true,
      expected: signature,
      received: [signature],
      signedString: `${time}.${BODY}`,
      timestamp: time,
    },
    headers: expect.anything(),
  })
})

test('an old request matches and is refused for its time; a changed one shows both signatures', async () => {
  const source = await create(calendly)
  const old = `calendly-webhook-signature: t=1600000000,v1=${sign(`1600000000.${BODY}`)}\n\n${BODY}`
  expect(await attempt(source, old)).toMatchObject({
    body: { ok: false, matches: true, reason: 'The timestamp is too far off.' },
  })
  expect(await attempt(source, `${old} `)).toMatchObject({
    body: {
      ok: false,
      matches: false,
      expected: sign(`1600000000.${BODY} `),
      received: [sign(`1600000000.${BODY}`)],
      signedString: `1600000000.${BODY} `,
    },
  })
  const missing = await attempt(source, `X-Other: 1\n\n${BODY}`)
  expect(missing).toMatchObject({ body: { ok: false, expected: null, received: [], signedString: null } })
})

test('settings that are not saved yet are tried, and stay unsaved', async () => {
  const source = await create(calendly)
  const request = `X-Hub-Signature-256: sha256=${sign(BODY)}\n\n${BODY}`
  expect(await attempt(source, request)).toMatchObject({ body: { ok: false } })
  expect(await attempt(source, request, { settings: github })).toMatchObject({ body: { ok: true } })
  expect(await attempt(source, request, { settings: { ...github, algorithm: 'md5' } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'settings.algorithm' }] },
  })
  expect((await sources.read(source.id)).settings).toEqual(calendly)
})

test('Standard Webhooks are tried in an overlap with the value that signed', async () => {
  const first = `whsec_${Buffer.from('first').toString('base64')}`
  const source = await sources.create('standardwebhooks', { verificationSecret: first })
  await sources.change(source.id, 'rotate', { verificationSecret: `whsec_${Buffer.from('second').toString('base64')}` })
  const time = String(Math.floor(Date.now() / 1000))
  for (const key of ['first', 'second']) {
    const signature = `v1,${createHmac('sha256', key).update(`m1.${time}.${BODY}`).digest('base64')}`
    const request = `webhook-id: m1\nwebhook-timestamp: ${time}\nwebhook-signature: ${signature}\n\n${BODY}`
    const { body } = await attempt(source, request)
    expect(body).toMatchObject({ ok: true, expected: signature, signedString: `m1.${time}.${BODY}` })
    expect(JSON.stringify(body)).not.toContain('whsec_')
  }
})

test('credentials are never shown, right or wrong', async () => {
  const credentials = `hooks:${SECRET}`
  const source = await sources.create('hmac', {
    settings: SOURCE_RECIPES.chargebee.settings,
    verificationSecret: credentials,
  })
  const encoded = Buffer.from(credentials).toString('base64')
  for (const [value, ok] of [
    [encoded, true],
    ['d3Jvbmc6d3Jvbmc=', false],
  ] as const) {
    const answer = await attempt(source, `Authorization: Basic ${value}\n\n${BODY}`)
    expect(answer).toMatchObject({ status: 200, body: { ok, matches: ok, expected: null, received: [] } })
    expect(JSON.stringify(answer.body)).not.toContain(encoded)
  }
})

test('neither a key nor an editor nor another environment tries a signature, and a trial is in the audit log', async () => {
  const source = await create(github)
  const request = `X-Hub-Signature-256: sha256=${sign(BODY)}\n\n${BODY}`
  expect(await sources.change(source.id, 'try-signature', { request })).toMatchObject({ status: 403 })
  for (const role of ['editor', 'viewer'] as const) {
    const person = await givenDashboard(given).join(given.demo.organisation.id, `${role}@tried.example`, role)
    expect(await attempt(source, request, {}, person)).toMatchObject({ status: 403 })
  }
  const elsewhere = pathOf(source).replace(given.demo.environments.dev.id, given.demo.environments.prod.id)
  expect(await admin.call('POST', elsewhere, { body: { request } })).toMatchObject({ status: 404 })
  await attempt(source, request)
  const path = `/v1/dashboard/organisations/${given.demo.organisation.id}/audit-log?limit=1`
  expect((await admin.call('GET', path)).body).toMatchObject({
    data: [{ action: 'source.try', subject: source.id, who: 'admin@tried.example' }],
  })
})

test.each([
  ['', 'request'],
  ['no header at all', 'request'],
])('%j is no request', async (request, path) => {
  expect(await attempt(await create(github), request)).toMatchObject({ status: 400, body: { details: [{ path }] } })
})

test('platforms with a scheme of their own have no trial', async () => {
  expect(await attempt(await sources.create('stripe'), `a: b\n\n${BODY}`)).toMatchObject({ status: 400 })
})

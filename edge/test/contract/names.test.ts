// Tests that lists answer names and titles beside ids: of one environment, without a secret, and null where there is none.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { AuditAnswer } from '../../../contract/resources/audit.ts'
import type { DeliveryDetailAnswer, DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import type { RunAnswer } from '../../../contract/resources/run.ts'
import type { CampaignDaysPage } from '../../../contract/resources/stats.ts'
import type { TrackedEventAnswer } from '../../../contract/resources/tracked-event.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'

const MAIL = {
  ...{ id: 'write', type: 'email', subject: 'Reset at https://shop.example/reset?token=abc now' },
  html: '<a data-nc-track="off" href="https://shop.example/reset?token=abc">Reset</a>',
}

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish(inboxCampaign('hello', 'hello', { name: 'Say hello' }))
  await given.publish(inboxCampaign('reset', 'reset', { name: 'Reset', steps: [MAIL] }))
  await given.publish(
    inboxCampaign('never', 'hello', { name: 'Never', trigger: { event: 'hello', where: 'event.properties.x == 1' } }),
  )
  await given.call('PUT', '/v1/users/zoe', { key, body: { name: 'Zoë', email: 'zoe@example.com' } })
  const { sdkSecretKey } = given.demo.environments.prod
  await given.call('PUT', '/v1/users/zoe', { key: sdkSecretKey, body: { name: 'Another Zoë' } })
  await given.call('PUT', '/v1/users/ben', { key: sdkSecretKey, body: { name: 'Ben of prod' } })
})
afterAll(() => given.stop())

const read = async <T>(path: string) => (await given.call<T>('GET', path, { key })).body

async function track(name: string, userId: string, properties: object): Promise<string> {
  return (await given.track({ name, userId, properties })).body.eventId
}

test('a delivery has the title, the names of its campaign and of its recipient', async () => {
  const eventId = await track('hello', 'zoe', { name: 'Ünï "x"' })
  const { data } = await read<Page<DeliveryRecordAnswer>>(`/v1/deliveries?eventId=${eventId}`)
  const names = { title: 'Hello Ünï "x"', campaignName: 'Say hello', userName: 'Zoë' }
  expect(data).toEqual([expect.objectContaining(names)])
  expect(await read<DeliveryDetailAnswer>(`/v1/deliveries/${data[0]?.messageId}`)).toMatchObject(names)
})

test('a recipient without a name has none, whatever the name in another environment is', async () => {
  const eventId = await track('hello', 'ben', { name: 'x'.repeat(300) })
  const { data } = await read<Page<DeliveryRecordAnswer>>(`/v1/deliveries?eventId=${eventId}`)
  expect(data).toEqual([expect.objectContaining({ userName: null })])
  expect(await read<TrackedEventAnswer>(`/v1/events/${eventId}`)).toMatchObject({
    userName: null,
    runs: [{ userName: null }],
  })
})

test('the subject of a mail is its title, without the query of a link that may be a secret', async () => {
  const eventId = await track('reset', 'zoe', {})
  const { data } = await read<Page<DeliveryRecordAnswer>>(`/v1/deliveries?eventId=${eventId}`)
  expect(data).toEqual([
    expect.objectContaining({ channel: 'email', title: 'Reset at https://shop.example/reset now' }),
  ])
  const detail = await given.call('GET', `/v1/deliveries/${data[0]?.messageId}`, { key })
  expect(JSON.stringify(detail.body)).not.toContain('token=abc')
})

test('a message that was not rendered has no title', async () => {
  await given.call('POST', '/v1/suppressions', { key, body: { userId: 'sam', channel: 'inbox' } })
  const eventId = await track('hello', 'sam', { name: 'x' })
  const { data } = await read<Page<DeliveryRecordAnswer>>(`/v1/deliveries?eventId=${eventId}`)
  expect(data).toEqual([expect.objectContaining({ status: 'skipped', title: null })])
})

test('the export keeps its columns', async () => {
  const answer = await fetch(`${given.url}/v1/deliveries/export.csv`, { headers: { authorization: `Bearer ${key}` } })
  const [head = ''] = (await answer.text()).split('\r\n')
  expect(head.split(',').at(-1)).toBe('isTest')
  expect(head).not.toMatch(/Name|title/)
})

test('an event, its runs and the campaigns that considered it have names', async () => {
  const eventId = await track('hello', 'zoe', { name: 'n' })
  const { data } = await read<Page<TrackedEventAnswer>>('/v1/events?userId=zoe&limit=1')
  expect(data[0]).toMatchObject({ eventId, userName: 'Zoë' })
  expect(data[0]?.considered.map(({ campaignName, outcome }) => [campaignName, outcome])).toEqual([
    ['Say hello', 'run'],
    ['Never', expect.stringMatching(/^condition-/)],
  ])
  const [run] = data[0]?.runs ?? []
  expect(run).toMatchObject({ campaignName: 'Say hello', userName: 'Zoë' })
  expect(await read<RunAnswer>(`/v1/runs/${run?.runId}`)).toMatchObject({ campaignName: 'Say hello', userName: 'Zoë' })
})

test('deliveries by campaign have its name', async () => {
  const { data } = await read<CampaignDaysPage>('/v1/stats/campaigns')
  expect(data).toContainEqual(expect.objectContaining({ campaignName: 'Say hello' }))
})

test('doubts have the name of their subject', async () => {
  await given.call('PUT', '/v1/users/zoe', { key, body: { locale: 'not a locale' } })
  await given.track({ name: 'never.heard', userId: 'zoe' })
  const { data } = await read<Page<DoubtAnswer>>('/v1/doubts')
  const about = (type: string) => data.find(({ subject }) => subject.type === type)
  expect(about('user')).toMatchObject({ subject: { type: 'user', id: 'zoe' }, subjectName: 'Zoë' })
  expect(about('event')).toMatchObject({ subject: { type: 'event', id: 'never.heard' }, subjectName: null })
})

test('entries of the audit log have the name of their subject, each of its own environment', async () => {
  const org = given.demo.organisation.id
  const admin = await givenDashboard(given).join(org, 'admin@example.com', 'admin')
  for (const { id } of Object.values(given.demo.environments))
    await admin.call('PUT', `/v1/dashboard/environments/${id}/users/zoe`, { body: { locale: 'en' } })
  const config = { name: 'Plain' }
  const configs = `/v1/dashboard/organisations/${org}/notification-configs`
  const { id } = (await admin.call<{ id: string }>('POST', configs, { body: config })).body
  const log = async (action: string) => {
    const { body } = await admin.call<Page<AuditAnswer>>(
      'GET',
      `/v1/dashboard/organisations/${org}/audit-log?action=${action}`,
    )
    return body.data.map(({ subject, subjectName }) => [subject, subjectName])
  }
  expect(await log('user.change')).toEqual([
    ['zoe', 'Another Zoë'],
    ['zoe', 'Zoë'],
  ])
  expect(await log('config.create')).toContainEqual([id, 'Plain'])
  expect(await log('campaign.publish')).toContainEqual(['hello', 'Say hello'])
})

// Tests delivery history over HTTP: records, filters, pages, one message with its timeline, and the export.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryDetailAnswer, DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'

interface Page {
  data: DeliveryRecordAnswer[]
  nextCursor: string | null
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const MSG = expect.stringMatching(/^msg_[A-Za-z0-9_-]+$/)
const TIME = expect.stringMatching(INSTANT)

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

const get = <T = Page>(path: string, as = key) => given.call<T>('GET', `/v1/deliveries${path}`, { key: as })
const list = async (query: string) => (await get(`?${query}`)).body.data
const call = (method: string, path: string, body?: object) => given.call(method, path, { key, ...(body && { body }) })
const idsOf = (records: { messageId: string }[]) => records.map(({ messageId }) => messageId)

/** Creates a message by a tracked event. @returns its history record */
async function send(
  event: string,
  userId: string,
  properties: Record<string, unknown> = {},
): Promise<DeliveryRecordAnswer> {
  const { eventId } = (await given.track({ name: event, userId, properties })).body
  const [record] = await list(`eventId=${eventId}`)
  if (record === undefined) throw new Error('No record.')
  return record
}

describe('a record', () => {
  test('of the inbox is delivered when it is written, and has every field, with null for unknown values', async () => {
    const campaignId = await given.publish(inboxCampaign('whole', 'whole.record'))
    const { eventId, correlationId } = (await given.track({ name: 'whole.record', userId: 'w' })).body
    const { data, nextCursor } = (await get(`?eventId=${eventId}`)).body
    expect(nextCursor).toBeNull()
    expect(data).toEqual([
      {
        messageId: MSG,
        correlationId,
        eventId,
        runId: expect.stringMatching(/^run_/),
        userId: 'w',
        campaignId,
        campaignKey: 'whole',
        version: 1,
        branch: null,
        stepId: 'tell',
        channel: 'inbox',
        status: 'delivered',
        statusReason: null,
        engagement: 'none',
        provider: null,
        providerMessageId: null,
        attempts: 1,
        lastError: null,
        createdAt: TIME,
        scheduledAt: null,
        sentAt: data[0]?.createdAt,
        deliveredAt: data[0]?.createdAt,
        readAt: null,
        openedAt: null,
        clickedAt: null,
        expiresAt: null,
        isTest: false,
        campaignName: 'whole',
        userName: null,
        title: 'Hello',
      },
    ])
  })

  test('of a message that could not be rendered has the status and the reason', async () => {
    const body = '{{ event.properties.text }}{{ event.properties.text }}'
    const steps = [{ id: 'tell', type: 'inbox', title: 'T', body }]
    await given.publish(inboxCampaign('fails', 'fa.ils', { steps }))
    const record = await send('fa.ils', 'f', { text: 'x'.repeat(40_000) })
    expect(record).toMatchObject({ status: 'failed', statusReason: 'render-error', engagement: 'none', attempts: 0 })
    expect(record).toMatchObject({
      sentAt: null,
      deliveredAt: null,
      lastError: expect.stringContaining('render-error'),
    })
    expect(idsOf(await list('status=failed'))).toEqual([record.messageId])
    expect((await get<DeliveryDetailAnswer>(`/${record.messageId}`)).body).toMatchObject({ timeline: [] })
    expect((await given.page(await given.signIn('f'))).data).toEqual([])
    expect(await list('status=skipped')).toEqual([])
  })

  test.each([
    ['delay', { until: '{{ event.properties.text }}' }],
    ['digest', { window: 'PT1H', key: '{{ event.properties.text }}' }],
    ['enrich', { enricher: 'any', params: { text: '{{ event.properties.text }}{{ event.properties.text }}' } }],
  ])('of a message after a %s that could not be rendered has the status and the reason', async (type, fields) => {
    const steps = [
      { id: 'stands', type, ...fields },
      { id: 'tell', type: 'inbox', title: 'T' },
    ]
    await given.publish(inboxCampaign(`after-${type}`, `after.${type}`, { steps }))
    const record = await send(`after.${type}`, `after-${type}`, { text: 'x'.repeat(40_000) })
    expect(record).toMatchObject({ stepId: 'tell', status: 'failed', statusReason: 'render-error', deliveredAt: null })
    expect(record.lastError).toMatch(/^render-error: /)
    const run = await given.call('GET', `/v1/runs/${record.runId}`, { key: given.demo.environments.dev.sdkSecretKey })
    expect(run.body).toMatchObject({ state: 'failed', stateReason: 'render-error' })
  })

  test.each([
    ['archived', (id: string) => call('POST', `/v1/campaigns/${id}/archive`), { status: 'archived' }],
    [
      'requested',
      () => call('POST', '/v1/runs/cancel', { campaignKey: 'cancels-requested', userId: 'c' }),
      { cancelled: 1, runIds: [expect.stringMatching(/^run_/)], failed: 0, example: null },
    ],
  ])('of a message whose waiting run was cancelled has the reason: %s', async (reason, cancel, answered) => {
    const steps = [
      { id: 'pause', type: 'delay', for: 'P365D' },
      { id: 'tell', type: 'inbox', title: 'T' },
    ]
    const id = await given.publish(inboxCampaign(`cancels-${reason}`, `can.cels.${reason}`, { steps }))
    const { eventId } = (await given.track({ name: `can.cels.${reason}`, userId: 'c' })).body
    expect((await cancel(id)).body).toMatchObject(answered)
    // A campaign's archive cancels its runs by a job.
    await expect.poll(() => list(`eventId=${eventId}`)).toHaveLength(1)
    const [record] = await list(`eventId=${eventId}`)
    expect(record).toMatchObject({ stepId: 'tell', status: 'cancelled', statusReason: reason, deliveredAt: null })
    const run = await call('GET', `/v1/runs/${record?.runId}`)
    expect(run.body).toMatchObject({ state: 'cancelled', stateReason: reason, endedAt: TIME })
    expect(run.body.steps).toMatchObject([
      { stepId: 'pause', outcome: 'skipped', reason: `cancelled: ${reason}` },
      { stepId: 'tell', outcome: 'skipped', reason },
    ])
    expect((await given.page(await given.signIn('c'))).data).toEqual([])
  })

  test('shows the engagement of the recipient, by the furthest step', async () => {
    await given.publish(inboxCampaign('goes', 'go.es', { steps: [{ id: 'tell', type: 'inbox', title: 'T' }] }))
    const { messageId } = await send('go.es', 'g')
    const session = await given.signIn('g')
    const report = (eventType: 'read' | 'opened' | 'clicked') => given.register(session, [{ messageId, eventType }])
    for (const [eventType, previous] of [
      ['read', 'none'],
      ['opened', 'read'],
      ['clicked', 'opened'],
    ] as const) {
      const listBy = (engagement: string) => list(`messageId=${messageId}&engagement=${engagement}`)
      expect(idsOf(await listBy(previous))).toEqual([messageId])
      await report(eventType)
      expect(await listBy(previous)).toEqual([])
      expect(await listBy(eventType)).toMatchObject([{ messageId, engagement: eventType, status: 'delivered' }])
      await report('read')
      expect(await listBy(eventType)).toHaveLength(1)
    }
    expect(await list(`messageId=${messageId}`)).toMatchObject([{ readAt: TIME, openedAt: TIME, clickedAt: TIME }])
  })

  test('of a trial is marked, and each record has its branch', async () => {
    const branches = [
      { key: 'big', when: 'event.properties.total > 100', steps: [{ id: 'big', type: 'inbox', title: 'Big' }] },
      { key: 'rest', else: true, steps: [{ id: 'rest', type: 'inbox', title: 'Rest' }] },
    ]
    const steps = [
      { id: 'first', type: 'inbox', title: 'First' },
      { id: 'size', type: 'branch', branches },
    ]
    const campaignId = await given.publish(inboxCampaign('sizes', 'si.zes', { steps }))
    await given.track({ name: 'si.zes', userId: 's', properties: { total: 500 } })
    await given.track({ name: 'si.zes', userId: 's', properties: { total: 1 } })
    const trial = await given.call<{ messageIds: string[] }>('POST', `/v1/campaigns/${campaignId}/test`, {
      key,
      body: { userId: 's', event: { properties: { total: 500 } } },
    })
    const listBy = async (branch: string) =>
      (await list(`campaignId=${campaignId}&branch=${branch}`)).map(({ stepId, isTest }) => `${stepId} ${isTest}`)
    expect(await listBy('big')).toEqual(['big true', 'big false'])
    expect(await listBy('rest')).toEqual(['rest false'])
    expect(await listBy('')).toEqual(['first true', 'first false', 'first false'])
    expect(await listBy('other')).toEqual([])
    const trials = (await list(`campaignId=${campaignId}`)).filter(({ isTest }) => isTest)
    expect(idsOf(trials).sort()).toEqual([...trial.body.messageIds].sort())
  })
})

describe('the list', () => {
  test('is newest first, continues by cursor, and is narrowed by each filter', async () => {
    const campaignId = await given.publish(inboxCampaign('pages', 'pa.ges'))
    const sent: DeliveryRecordAnswer[] = []
    for (let n = 0; n < 5; n++) sent.unshift(await send('pa.ges', `p${n % 2}`))
    const [newest, , middle] = sent as [DeliveryRecordAnswer, DeliveryRecordAnswer, DeliveryRecordAnswer]
    const read: string[] = []
    let cursor = ''
    for (;;) {
      const { data, nextCursor } = (await get(`?campaignId=${campaignId}&limit=2${cursor}`)).body
      read.push(...idsOf(data))
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    expect(read).toEqual(idsOf(sent))
    const listBy = async (query: string) => idsOf(await list(`campaignId=${campaignId}&${query}`))
    expect(await listBy('userId=p0')).toEqual([0, 2, 4].map((at) => sent[at]?.messageId))
    expect(await listBy('channel=email')).toEqual([])
    for (const query of [
      'channel=inbox',
      'channel=nc',
      'window=24h',
      'window=7d',
      'window=30d',
      'window=all',
      'engagement=none',
    ]) {
      expect(await listBy(query)).toEqual(idsOf(sent))
    }
    expect(await listBy(`to=${middle.createdAt}`)).toEqual(
      idsOf(sent.filter((one) => one.createdAt <= middle.createdAt)),
    )
    expect(await listBy(`from=${middle.createdAt}`)).toEqual(
      idsOf(sent.filter((one) => one.createdAt >= middle.createdAt)),
    )
    expect(await listBy('from=2030-01-01T00:00:00.000Z')).toEqual([])
    expect(await listBy(`correlationId=${newest.correlationId}`)).toEqual([newest.messageId])
    expect(await listBy(`messageId=${newest.messageId}&eventId=${newest.eventId}&status=delivered`)).toEqual([
      newest.messageId,
    ])
    expect(await listBy(`messageId=${newest.messageId}&eventId=${middle.eventId}`)).toEqual([])
  })

  test('is empty for unknown values', async () => {
    for (const filter of [
      'userId=nobody',
      'correlationId=none',
      'branch=none',
      'campaignId=x',
      'messageId=x',
      'eventId=x',
    ]) {
      expect(await get(`?${filter}`)).toMatchObject({ status: 200, body: { data: [], nextCursor: null } })
    }
    for (const id of ['campaignId=cmp_00000000000', 'messageId=msg_00000000000', 'eventId=evt_00000000000']) {
      expect((await get(`?${id}`)).body).toEqual({ data: [], nextCursor: null })
    }
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'status=done',
    'channel=unknown',
    'engagement=seen',
    'window=1y',
    'from=yesterday',
    'to=2026-01-01',
  ])('refuses %s, and so does the export, which has no pages', async (query) => {
    expect(await get(`?${query}`)).toMatchObject({ status: 400, body: { code: 'request/invalid-query' } })
    expect((await get(`/export.csv?${query}`)).status).toBe(400)
  })
})

describe('one message', () => {
  test('has its snapshot, its event and its timeline', async () => {
    await given.publish(inboxCampaign('one', 'o.ne'))
    const properties = { name: 'Ada', nested: { list: [1, 'two', null] } }
    const record = await send('o.ne', 'o', properties)
    const session = await given.signIn('o')
    await given.register(session, [{ messageId: record.messageId, eventType: 'opened' }])
    const answer = await get<DeliveryDetailAnswer>(`/${record.messageId}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      messageId: record.messageId,
      engagement: 'opened',
      snapshot: { title: 'Hello Ada', link: '/somewhere', bodyFormat: 'text' },
      event: { eventId: record.eventId, name: 'o.ne', userId: 'o', properties, source: 'api', receivedAt: TIME },
      timeline: [
        { eventType: 'send', at: record.createdAt, implied: false, automated: false, source: 'service' },
        { eventType: 'read', at: TIME, implied: true, automated: false },
        { eventType: 'opened', at: TIME, implied: false, automated: false },
      ],
    })
  })

  test('keeps its snapshot when the campaign changes', async () => {
    const id = await given.publish(inboxCampaign('later', 'la.ter'))
    const record = await send('la.ter', 'l', { name: 'Then' })
    const steps = [{ id: 'tell', type: 'inbox', title: 'Now' }]
    await given.call('PUT', `/v1/campaigns/${id}`, { key, body: inboxCampaign('later', 'la.ter', { steps }) })
    await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
    const { body } = await get<DeliveryDetailAnswer>(`/${record.messageId}`)
    expect(body).toMatchObject({ version: 1, snapshot: { title: 'Hello Then' } })
  })

  test('is not found with an unknown id or a key of another environment, and in none of its lists', async () => {
    await given.publish(inboxCampaign('fenced', 'fen.ced'))
    const record = await send('fen.ced', 'x')
    const prod = given.demo.environments.prod.sdkSecretKey
    for (const id of [record.messageId, 'msg_00000000000', 'msg_x', 'x']) {
      const answer = await get<{ code: string }>(`/${id}`, prod)
      expect([answer.status, answer.body.code]).toEqual([404, 'message/not-found'])
      expect(JSON.stringify(answer.body)).not.toContain('Hello')
    }
    const { messageId, eventId, correlationId, campaignId } = record
    for (const [name, value] of Object.entries({ messageId, eventId, correlationId, campaignId, userId: 'x' })) {
      expect((await get(`?${name}=${value}`, prod)).body).toEqual({ data: [], nextCursor: null })
      expect((await get<string>(`/export.csv?${name}=${value}`, prod)).body).not.toContain(messageId)
    }
  })

  test('is not found after its user was erased', async () => {
    await given.publish(inboxCampaign('erased', 'era.sed'))
    const { messageId } = await send('era.sed', 'gone')
    await given.call('DELETE', '/v1/users/gone', { key })
    expect((await get(`/${messageId}`)).status).toBe(404)
    expect(await list('userId=gone')).toEqual([])
  })
})

describe('the export', () => {
  test('is a CSV file with a header row, CRLF and the same records', async () => {
    const campaignId = await given.publish(inboxCampaign('exported', 'ex.ported'))
    const records = [await send('ex.ported', 'b,"quoted"'), await send('ex.ported', 'plain')].reverse()
    const answer = await get<string>(`/export.csv?campaignId=${campaignId}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv; *charset=utf-8/)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="deliveries.csv"')
    expect(answer.headers.get('x-correlation-id')).toBeTruthy()
    const lines = answer.body.split('\r\n')
    const { campaignName: _, userName: _user, title: _title, ...columns } = records[0] ?? {}
    expect(lines[0]).toBe(Object.keys(columns).join(','))
    expect(lines).toHaveLength(4)
    expect(lines[3]).toBe('')
    expect(lines[1]).toContain(`${records[0]?.messageId},`)
    expect(lines[1]).toMatch(/,false$/)
    expect(lines[2]).toContain('"b,""quoted"""')
    expect((await get<string>(`/export.csv?campaignId=${campaignId}&userId=plain`)).body.split('\r\n')).toHaveLength(3)
  })

  test('has only the header row without records', async () => {
    const { body } = await get<string>('/export.csv?userId=nobody')
    expect(body).toMatch(/^messageId,correlationId,[A-Za-z,]+,isTest\r\n$/)
    expect((await get<string>('/export.csv?campaignId=x')).body).toBe(body)
  })

  test('escapes formulas of spreadsheets', async () => {
    const campaignId = await given.publish(inboxCampaign('formulas', 'for.mulas'))
    for (const userId of ['=1+1', '+1', '-1', '@SUM(A1)']) await send('for.mulas', userId)
    const { body } = await get<string>(`/export.csv?campaignId=${campaignId}`)
    for (const userId of ['=1+1', '+1', '-1', '@SUM(A1)']) expect(body).toContain(`,'${userId},`)
    expect(body).not.toMatch(/(^|,|\n)"?[=+@-]/)
  })

  test('answers HEAD without a body', async () => {
    const answer = await given.call<string>('HEAD', '/v1/deliveries/export.csv', { key })
    expect([answer.status, answer.body]).toEqual([200, ''])
  })

  test('requires a key', async () => {
    for (const path of ['', '/export.csv', '/msg_00000000000']) {
      expect((await given.call('GET', `/v1/deliveries${path}`)).status).toBe(401)
      expect((await get(path, 'nc_sdk_eu_unknown')).status).toBe(403)
      expect((await given.call('GET', `/v1/deliveries${path}`, { session: await given.signIn('s') })).status).toBe(403)
    }
  })
})

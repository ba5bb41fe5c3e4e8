// Tests two nodes that send the mails of one database, while reports and other plans change the same messages and users.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MailChange, Mails } from '../../domain/mail/mail.ts'
import type { NewMessage } from '../../domain/plan.ts'
import { systemClock } from '../../lib/clock.ts'
import { freshStore } from '../../test/support/servers.ts'
import { openPostgresStores, type PostgresStores } from '../postgres.ts'
import { firstMessage, type Given, report, trackPlan, write } from '../test/given.ts'
import {
  accepted,
  changeMail,
  givenCampaign,
  HAND_OVER,
  LEASE_MS,
  mailTrackPlan,
  reportMail,
} from '../test/given-mail.ts'
import { type Connection, openConnection } from './connection.ts'

let nodes: [Given, Given]
let connection: Connection
let lastId = 1000
beforeAll(async () => {
  const url = await freshStore()
  const openNode = async (): Promise<Given> => {
    const stores: PostgresStores = await openPostgresStores({ url, clock: systemClock })
    const next = () => ++lastId
    return { stores, now: systemClock.now, advance() {}, reopen: async () => stores, environmentId: next, id: next }
  }
  nodes = [await openNode(), await openNode()]
  connection = await openConnection({ url, deadlineMs: 30_000 })
})
afterAll(async () => {
  connection.destroy('done')
  await Promise.all(nodes.map(({ stores }) => stores.close()))
})

const USERS = Array.from({ length: 20 }, (_, n) => `u${n}`)
const ERASED = Array.from({ length: 10 }, (_, n) => `gone${n}`)
const ROUNDS = 10

async function countDeadlocks(): Promise<number> {
  const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'
  const [row] = await connection.query<{ deadlocks: number }>(text)
  return Number(row?.deadlocks)
}

async function countMails(): Promise<number> {
  const [row] = await connection.query<{ mails: number }>('SELECT COUNT(*) AS mails FROM mail')
  return Number(row?.mails)
}

/** Claims and sends until nothing is due; returns the messages that it accepted. */
async function sendAll(node: Given, environmentId: number): Promise<number[]> {
  const sent: number[] = []
  const { mails } = node.stores
  for (;;) {
    const claims: Awaited<ReturnType<Mails['claim']>> = await mails.claim(node.now(), LEASE_MS, 16)
    if (claims.length === 0) return sent
    await Promise.all([
      mails.renew(claims, node.now(), LEASE_MS),
      ...claims.map(async (claim) => {
        if ((await changeMail(node, claim, environmentId, HAND_OVER)) === 'lost') return
        if ((await changeMail(node, claim, environmentId, accepted(`<${claim.messageId}>`))) === 'changed')
          sent.push(claim.messageId)
      }),
    ])
  }
}

/** Reports each message, and writes to the inbox of its user meanwhile. */
async function disturb(node: Given, environmentId: number, messages: NewMessage[]): Promise<void> {
  for (const message of messages) {
    const user = await node.stores.users.find(environmentId, message.userId)
    if (user === undefined) throw new Error('no user')
    await Promise.all([
      reportMail(node, message, environmentId, 'delivered'),
      report(node, user, message.id, ['opened'], { userNo: null }),
      write(node, trackPlan(node, { environmentId, userIds: USERS.slice(0, 5) })),
    ])
  }
}

test('each mail is sent by one node and counted once, those of erased users go, and no transaction waits for another in a circle', async () => {
  const [one, other] = nodes
  const environmentId = one.environmentId()
  const campaignId = await givenCampaign(one, environmentId)
  const before = await countDeadlocks()
  const messages: NewMessage[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const plan = mailTrackPlan(one, {
      environmentId,
      campaignId,
      userIds: round % 2 === 0 ? USERS : USERS.toReversed(),
    })
    messages.push(...plan.messages)
    await write(one, plan)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const plan = mailTrackPlan(one, { environmentId, campaignId: one.id(), userIds: ERASED })
    await write(one, plan)
  }
  const [first, second] = await Promise.all([
    sendAll(one, environmentId),
    sendAll(other, environmentId),
    disturb(other, environmentId, messages.slice(0, 60)),
    disturb(one, environmentId, messages.slice(40, 100).toReversed()),
    Promise.all(ERASED.map((userId, n) => nodes[n % 2]?.stores.users.erase(environmentId, userId, one.now()))),
  ])
  const sent = [...first, ...second]
  expect(new Set(sent).size).toBe(sent.length)
  expect(await countMails()).toBe(messages.length)
  expect(await one.stores.mails.nextDueInMs(one.now())).toBeNull()
  expect(await one.stores.funnels.slices(environmentId, campaignId, 'email', null)).toMatchObject([
    { delivery: messages.length },
  ])
  expect(await one.stores.funnels.rebuild()).toMatchObject({ differed: 0 })
  const reported = await one.stores.deliveries.find(
    environmentId,
    firstMessage({ ...mailTrackPlan(one, { environmentId }), messages }).id,
  )
  expect(reported?.record.status).toBe('delivered')
  expect(await countDeadlocks()).toBe(before)
})

test('two nodes together issue the permits of an integration at its rate, while mails are reported and handed over', async () => {
  const [one, other] = nodes
  const environmentId = one.environmentId()
  const campaignId = await givenCampaign(one, environmentId)
  const integrationId = await givenIntegration(one, environmentId, 100)
  const before = await countDeadlocks()
  const plan = mailTrackPlan(one, { environmentId, campaignId, userIds: Array.from({ length: 60 }, (_, n) => `p${n}`) })
  await write(one, plan)
  const awaitPermit: MailChange = { does: 'await-permit', integrationId, error: null }
  for (const claim of await one.stores.mails.claim(one.now(), LEASE_MS, 100)) {
    expect(await changeMail(one, claim, environmentId, awaitPermit)).toBe('changed')
  }
  const reported = plan.messages.slice(0, 20)
  const start = performance.now()
  let issued = 0
  let isDone = false
  async function issueAndSend(node: Given): Promise<number[]> {
    const sent: number[] = []
    while (!isDone) {
      // Added afterwards: the other node adds while this one waits.
      const more = await node.stores.heldMails.issuePermits(node.now())
      issued += more
      const elapsedMs = performance.now() - start
      // Those of half a second at once, one for now, and then a hundred a second.
      expect(issued).toBeLessThanOrEqual(51 + elapsedMs / 10)
      sent.push(...(await sendAll(node, environmentId)))
      isDone ||= (await countWaiting()) === 0
    }
    return sent
  }
  const [first, second] = await Promise.all([
    issueAndSend(one),
    issueAndSend(other),
    (async () => {
      for (const message of reported.toReversed()) await reportMail(other, message, environmentId, 'delivered')
    })(),
  ])
  const sent = [...first, ...second]
  expect(new Set(sent).size).toBe(sent.length)
  expect(await one.stores.funnels.slices(environmentId, campaignId, 'email', null)).toMatchObject([{ delivery: 60 }])
  expect(await countDeadlocks()).toBe(before)
})

test('a permit for which two nodes reach at once is issued by one', async () => {
  const [one, other] = nodes
  const homes = Array.from({ length: 40 }, () => one.environmentId())
  for (const environmentId of homes) {
    const campaignId = await givenCampaign(one, environmentId)
    const integrationId = await givenIntegration(one, environmentId, 0.01)
    await write(one, mailTrackPlan(one, { environmentId, campaignId, userIds: ['a', 'b', 'c'] }))
    for (const claim of await one.stores.mails.claim(one.now(), LEASE_MS, 100)) {
      await changeMail(one, claim, environmentId, { does: 'await-permit', integrationId, error: null })
    }
  }
  const issued = await Promise.all(
    [one, other, one, other].map((node) => node.stores.heldMails.issuePermits(node.now())),
  )
  expect(issued.reduce((sum, count) => sum + count)).toBe(homes.length)
})

async function countWaiting(): Promise<number> {
  const text = 'SELECT COUNT(*) AS waiting FROM mail WHERE due_at IS NULL AND permit_from IS NOT NULL'
  const [row] = await connection.query<{ waiting: number }>(text)
  return Number(row?.waiting)
}

async function givenIntegration({ stores, id: next }: Given, environmentId: number, maxPerSecond: number) {
  const id = next()
  const integration = {
    ...{ id, environmentId, name: 'main', provider: 'ses' as const, sealed: '', from: null, priority: 1, maxPerSecond },
    ...{ webhookId: `whi_${id}`, webhookPasswordHash: null, createdAt: 1, updatedAt: 1 },
  }
  const audit = {
    at: 1,
    actor: 'api',
    who: 'sec_1',
    action: 'test',
    environmentId,
    subject: 'int',
    detail: {},
  } as const
  expect(await stores.mailIntegrations.insertOnce(integration, audit)).toBe(true)
  return id
}

// Tests the page for unsubscribing, its one click, and that it turns the same switch as the preferences.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../lib/id.ts'
import { type GivenMails, givenMails, tokens } from '../support/given-mails.ts'
import { givenNc } from '../support/given-nc.ts'

const MARKDOWN = { markdown: 'Hello' }
const ONE_CLICK = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })

let mails: GivenMails

beforeAll(async () => {
  mails = await givenMails()
  const cli = givenNc(mails.edge.settings)
  const file = join(mails.edge.dataDir, 'config.json')
  const categories = [{ key: 'alarms', name: 'Alarms', critical: true }]
  await writeFile(file, JSON.stringify({ name: 'Standard', categories }))
  const { id } = await cli.json<{ id: string }>(`config create --org ${mails.edge.demo.organisation.id} --from ${file}`)
  for (const category of ['orders', 'news']) await mails.publishMail(category, MARKDOWN, { category })
  await mails.publishMail('alarms', MARKDOWN, { category: 'alarms', notificationConfigId: id })
  await mails.publishMail('plain', MARKDOWN, { category: null })
  await mails.publishMail('proto', MARKDOWN, { category: '__proto__' })
})
afterAll(() => mails.edge.stop())

const SKIPPED = { status: 'skipped', statusReason: 'preference' }
async function isSent(event: string, userId: string): Promise<boolean> {
  const outcome = await mails.outcomeOf(event, userId)
  return outcome !== undefined && outcome.status !== 'skipped'
}

test('the page asks first, without a script, and its address changes nothing', async () => {
  const { userId, unsubscribe } = await mails.sendMail('orders')
  for (const method of ['HEAD', 'GET']) {
    const page = await mails.visit(unsubscribe, { method })
    expect(page.status).toBe(200)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
    if (method === 'GET') expect(await page.text()).toMatch(/orders.*<button/s)
  }
  expect(await isSent('orders', userId)).toBe(true)
})

test('one click turns off mail of the category alone, as often as it is asked, and preferences turn it on', async () => {
  const { userId, unsubscribe } = await mails.sendMail('orders')
  for (const _ of [1, 2]) {
    const answer = await mails.visit(unsubscribe, { method: 'POST', body: ONE_CLICK })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')])
  }
  await expect.poll(() => mails.outcomeOf('orders', userId)).toMatchObject(SKIPPED)
  expect(await isSent('news', userId)).toBe(true)
  const session = await mails.edge.signIn(userId)
  expect((await mails.edge.page(session)).inbox.unread).toBeGreaterThan(1)
  const body = { categories: [{ key: 'orders', channels: { email: true } }] }
  expect((await mails.edge.call('PUT', '/v1/inbox/preferences', { session, body })).status).toBe(200)
  await expect.poll(() => isSent('orders', userId)).toBe(true)
})

test('a mail without a category turns off all that are not critical, such mails too, and on again', async () => {
  const { userId, unsubscribe } = await mails.sendMail('plain')
  expect(await (await mails.visit(unsubscribe)).text()).toContain('except for important ones')
  const done = await (await mails.visit(unsubscribe, { method: 'POST' })).text()
  for (const event of ['orders', 'news', 'plain']) {
    await expect.poll(() => mails.outcomeOf(event, userId)).toMatchObject(SKIPPED)
  }
  expect(await isSent('alarms', userId)).toBe(true)
  const action = /<form method="post" action="([^"]*)"/.exec(done)?.[1] ?? ''
  const back = await mails.visit(unsubscribe + action, { method: 'POST' })
  expect(await back.text()).toContain('You are subscribed again')
  for (const event of ['orders', 'news', 'plain']) {
    await expect.poll(() => isSent(event, userId)).toBe(true)
  }
})

test('the page speaks the language of the browser', async () => {
  const { unsubscribe } = await mails.sendMail('orders')
  const pageIn = async (language: string) =>
    (await mails.visit(unsubscribe, { headers: { 'accept-language': language } })).text()
  expect(await pageIn('xx, de-AT;q=0.9, en;q=0.8')).toMatch(/<html lang="de" dir="ltr">[\s\S]*Abbestellen/)
  expect(await pageIn('en;q=0.2, ar;q=0.9')).toContain('<html lang="ar" dir="rtl">')
  for (const language of ['', '*', 'tlh', 'de;q=0', ','.repeat(5000), '__proto__']) {
    expect(await pageIn(language)).toContain('<html lang="en" dir="ltr">')
  }
})

test('a mail of a critical category names no address, and a signed one turns nothing off', async () => {
  const { userId, messageId, unsubscribe } = await mails.sendMail('alarms')
  expect(unsubscribe).toBe('')
  const other = (await mails.sendMail('orders')).unsubscribe.split('/').at(-1) ?? ''
  const environmentId = tokens.read(other, 'unsubscribe')?.environmentId ?? 0
  const mail = { environmentId, messageId: parseId('message', messageId) ?? 0 }
  const path = `/v1/t/u/${tokens.sign({ ...mail, kind: 'unsubscribe', target: null })}`
  for (const method of ['GET', 'POST']) {
    const page = await (await mails.visit(path, { method })).text()
    expect(page).toContain('cannot be turned off')
    expect(page).not.toContain('<button')
  }
  expect(await isSent('alarms', userId)).toBe(true)
})

test('a category of any name is turned off', async () => {
  const { userId, unsubscribe } = await mails.sendMail('proto')
  expect((await mails.visit(unsubscribe, { method: 'POST', body: ONE_CLICK })).status).toBe(200)
  await expect.poll(() => mails.outcomeOf('proto', userId)).toMatchObject(SKIPPED)
})

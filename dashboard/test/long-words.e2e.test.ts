// Tests that no page scrolls sideways, at any width, when names, addresses and values are one long word each.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenNc } from '../../edge/test/support/given-nc.ts'
import { type GivenDashboard, givenDashboard, overflowOf, visitSignedIn } from './given-dashboard.ts'

const word = (letters: number) => 'W'.repeat(letters)
const userId = `u_${word(243)}`
const address = `${word(60)}@${word(60)}.example`

let given: GivenDashboard
/** Paths and the beginnings of their headings. */
let pages: readonly (readonly [path: string, heading: string])[]
beforeAll(async () => {
  given = await givenDashboard()
  await given.call('PUT', `/v1/users/${userId}`, { name: word(200), email: address })
  await given.call('PUT', `/v1/topics/${word(128)}/subscribers`, { add: [userId] })
  await given.call('PUT', `/v1/enrichers/${word(64)}`, { url: `https://${'a'.repeat(60)}.example/${word(150)}` })
  const campaign = await given.call<{ id: string }>('POST', '/v1/campaigns', {
    key: 'w'.repeat(64),
    name: word(100),
    trigger: { event: word(100) },
    steps: [{ id: 'note', type: 'inbox', title: word(120), body: word(900) }],
  })
  await given.call('POST', `/v1/campaigns/${campaign.id}/publish`)
  await given.track({ name: 'nobody.'.concat(word(90)), userId })
  const eventId = await given.track({ name: word(100), userId, properties: { [word(200)]: word(500) } })
  const org = given.demo.organisation.id
  const nc = givenNc(given.settings)
  await nc.json(`member invite --org ${org} --email ${address} --role viewer`)
  const { id } = await nc.json<{ id: string }>(`env create --org ${org} --name ${word(64)}`)
  pages = [
    [`users/${userId}`, word(20)],
    [`topics/${word(128)}`, word(20)],
    [`enrichers/${word(64)}`, word(20)],
    [`campaigns/${campaign.id}`, word(20)],
    [`campaigns/${campaign.id}/edit`, word(20)],
    [`events/${eventId}`, word(20)],
    [`environments/${id}/secrets`, 'Secrets'],
    ['environments', 'Environments'],
    ['members', 'Members'],
    ['doubts', 'Doubts'],
    ['users', 'Users'],
    ['events', 'Events'],
    ['inbox', 'Delivery History'],
  ]
})
afterAll(() => given?.stop())

test('no page scrolls sideways for the sake of a long word', async () => {
  await expect
    .poll(async () => (await given.call<{ data: object[] }>('GET', `/v1/deliveries?userId=${userId}`)).data.length)
    .toBe(1)
  const { page, faults } = await visitSignedIn(given, given.address('home'), 'Home')
  const found: string[] = []
  for (const [path, heading] of pages) {
    await page.goto(given.address(path))
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    for (const width of [1440, 1024, 768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await overflowOf(page)
      if (overflow > 0) found.push(`${path.slice(0, 20)} at ${width}: ${overflow} px too wide`)
    }
  }
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

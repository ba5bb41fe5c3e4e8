// Tests what stands beside the campaign editor: the chosen event, previews, the path, why a user gets it, tests, publishing.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import type { KeptMailAnswer } from '../../contract/resources/mail.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, mailOf, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
  for (const [userId, name, locale, total] of [
    ['u_zoe', 'Zoë', 'fr', 74],
    ['u_ada', 'Ada', 'en', 740],
  ] as const) {
    const user = { name, locale, email: `${userId}@shop.example` }
    await given.call('PUT', `/v1/users/${userId}`, user)
    await given.track({ name: 'order.paid', userId, properties: { orderId: `A-${total}`, total } })
  }
})
afterAll(() => given?.stop())

const STEPS = [
  {
    id: 'tell',
    type: 'inbox',
    title: 'Thank you, {{ user.name }}',
    body: 'Order {{ event.properties.orderId }} is paid.',
    link: '/orders/{{ event.properties.orderId }}',
    actions: [{ label: 'See it', link: '/orders', style: 'primary' }],
    locales: { fr: { title: 'Merci, {{ user.name }}' } },
  },
  { id: 'wait', type: 'delay', for: 'PT10M' },
  {
    id: 'which',
    type: 'branch',
    branches: [
      {
        key: 'big',
        when: 'event.properties.total > 100',
        steps: [
          {
            id: 'mail',
            type: 'email',
            subject: 'Receipt of {{ event.properties.orderId }}',
            preheader: 'You paid {{ event.properties.total }}.',
            markdown: '# Thank you\n\nYou paid **{{ event.properties.total }}**.',
          },
        ],
      },
      { key: 'rest', else: true, steps: [] },
    ],
  },
]

async function createCampaign(key: string, steps: unknown[] = STEPS): Promise<string> {
  const body = { key, name: `Campaign ${key}`, trigger: { event: 'order.paid' }, steps }
  return (await given.call<CampaignAnswer>('POST', '/v1/campaigns', body)).id
}

const read = (id: string) => given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
const editorOf = (id: string) => given.address(`campaigns/${id}/edit`)
const open = (id: string, key: string) => visitSignedIn(given, editorOf(id), `Campaign ${key}`)
const part = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Beside the editor' }).getByRole('button', { name }).click()
const row = (page: Page) => page.locator('nc-message-preview nc-row')

test('the newest event fills the preview; another one, another user and another language change it', async () => {
  const id = await createCampaign('preview')
  const { page, faults } = await open(id, 'preview')
  await row(page).getByText('Thank you, Ada').waitFor()
  await expect
    .poll(() => page.locator('nc-message-preview nc-standing-toast').allInnerTexts())
    .toEqual([expect.stringContaining('A-740')])
  await page.getByLabel('Event', { exact: true }).selectOption({ index: 1 })
  await row(page).getByText('Merci, Zoë').waitFor()
  await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Standard' }).click()
  await row(page).getByText('Thank you, Zoë').waitFor()
  // The choice is there at the next visit.
  await page.reload()
  await row(page).getByText('Merci, Zoë').waitFor()
  await page.getByLabel('Event', { exact: true }).selectOption({ label: 'Write one…' })
  await page.getByLabel('Value of orderId').fill('B-1')
  await row(page).getByText('Order B-1 is paid.').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the mail is shown in two widths, in light and dark, as text, and as a mailbox lists it', async () => {
  const id = await createCampaign('mail')
  const { page, faults } = await open(id, 'mail')
  await page.getByLabel('Message', { exact: true }).selectOption({ index: 1 })
  const line = page.getByRole('group', { name: 'In the list of a mailbox' })
  await line.getByText('Receipt of A-740').waitFor()
  await line.getByText('You paid 740.').waitFor()
  await mailOf(page).getByRole('heading', { name: 'Thank you' }).waitFor()
  const width = () => page.locator('nc-mail-view iframe').evaluate((frame) => (frame as HTMLElement).offsetWidth)
  await page.getByRole('button', { name: '600 px' }).click()
  await expect.poll(width).toBe(600)
  await page.getByRole('button', { name: '360 px' }).click()
  await expect.poll(width).toBe(360)
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.getByRole('region', { name: 'Text of the mail' }).getByText('You paid').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('an edit that is not saved yet is in the preview, and a fault leaves the last one, with its place', async () => {
  const id = await createCampaign('unsaved')
  const { page, faults } = await open(id, 'unsaved')
  await row(page).getByText('Thank you, Ada').waitFor()
  const edit = (title: string) =>
    page.evaluate((text) => {
      const editor = document.querySelector('nc-editor-preview') as HTMLElement & { draft: { steps: object[] } }
      const [first, ...others] = editor.draft.steps
      editor.draft = { ...editor.draft, steps: [{ ...first, title: text }, ...others] }
    }, title)
  await edit('{{ oops')
  await page.locator('nc-editor-preview .faults').getByText('Title of “tell”').waitFor()
  expect(await row(page).getByText('Thank you, Ada').count()).toBe(1)
  await edit('Hello {{ user.nmae }}')
  await page.locator('nc-editor-preview .doubts').getByText('Unknown variable').waitFor()
  await edit('Hello {{ user.name }}')
  await row(page).getByText('Hello Ada').waitFor()
  expect((await read(id)).draft.steps).toMatchObject([{ title: 'Thank you, {{ user.name }}' }, {}, {}])
  expect(faults).toEqual([])
  await page.context().close()
})

test('the path of the event is said step by step, and given to the page', async () => {
  const id = await createCampaign('path')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign path')
  await page.evaluate(() =>
    document.addEventListener('path-found', (event) => {
      const { path } = event as Event & { path: { stepId: string; outcome: string }[] }
      document.documentElement.dataset.path = path.map(({ stepId, outcome }) => `${stepId} ${outcome}`).join(', ')
    }),
  )
  await part(page, 'Path')
  await page.getByText('It takes the way “big”: its condition holds.').waitFor()
  await page.locator('.path-read').getByText('event.properties.total').waitFor()
  await page.getByLabel('Event', { exact: true }).selectOption({ index: 1 })
  await page.getByText('It takes the way “rest”: no condition holds.').waitFor()
  const path = () => page.evaluate(() => document.documentElement.dataset.path)
  await expect.poll(path).toBe('tell done, wait done, which taken')
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('why a user gets it, or not, is asked for any user', async () => {
  const id = await createCampaign('why')
  await given.call('POST', '/v1/suppressions', { userId: 'u_zoe', channel: 'inbox', reason: 'manual' })
  const { page, faults } = await open(id, 'why')
  await part(page, 'Why?')
  const why = page.locator('nc-editor-why')
  await why.locator('.path-step', { hasText: 'mail' }).getByText('Would be sent').waitFor()
  const user = page.getByRole('combobox', { name: 'Why would this user get it?' })
  await user.fill('Zo')
  await why.getByRole('option', { name: 'u_zoe' }).click()
  await why.locator('.path-step', { hasText: 'tell' }).getByText('Held back').waitFor()
  expect(await page.getByRole('link', { name: 'See the suppression' }).getAttribute('href')).toContain('u_zoe')
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a test comes to the own inbox and address by one press, and to others', async () => {
  const id = await createCampaign('test')
  const { page, faults } = await open(id, 'test')
  await part(page, 'Send')
  await page.getByRole('combobox', { name: 'Your own inbox' }).fill('u_me')
  await page.getByRole('button', { name: 'Send to me' }).click()
  const results = page.locator('.test-results')
  await results.getByRole('link', { name: 'u_me · mail' }).waitFor()
  await results.getByText('Delivered').waitFor()
  const newest = async () => (await given.call<{ data: KeptMailAnswer[] }>('GET', '/v1/email/mailbox')).data[0]
  const mail = { subject: 'Receipt of A-740', to: { address: given.demo.dashboard.email } }
  await expect.poll(newest).toMatchObject(mail)
  await page.getByText('Several people').click()
  await page.getByRole('combobox', { name: 'Add a person' }).fill('u_ada')
  await page.locator('nc-editor-test').getByRole('option', { name: 'u_ada' }).click()
  await page.getByRole('button', { name: 'Send to all 2' }).click()
  await results.getByRole('link', { name: 'u_ada · mail' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  // The next visit needs one press.
  await page.reload()
  await part(page, 'Send')
  await page.getByRole('button', { name: 'Send to me' }).click()
  await results.getByRole('link', { name: 'u_me · tell' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('publishing shows what changes and what is doubtful, and a version is rolled back to by one press', async () => {
  const id = await createCampaign('publish')
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  const [tell, , which] = STEPS
  const { draft } = await read(id)
  const steps = [
    { ...tell, title: 'Thanks, {{ user.name }}', link: '#' },
    { id: 'wait', type: 'delay', for: 'PT1H' },
    which,
  ]
  await given.call('PUT', `/v1/campaigns/${id}`, { ...draft, steps })
  const { page, faults } = await open(id, 'publish')
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.locator('wa-dialog[open]')
  await dialog.getByText('Wait 10 minutes → 1 hour').waitFor()
  await dialog.getByText('Title of “tell”: “Thank you, {{ user.name }}” → “Thanks, {{ user.name }}”').waitFor()
  await dialog.getByText('the link “#” leads nowhere').waitFor()
  await dialog.getByText('“mail” has no texts in fr, which “tell” has').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Side by side' }).click()
  await dialog.getByRole('cell', { name: '"for": "PT1H"' }).waitFor()
  expect(await findViolationsAround(page, [1280])).toEqual([])
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('is published as version 2.').waitFor()
  expect((await read(id)).currentVersion).toBe(2)
  await page.goto(given.address(`campaigns/${id}`, { tab: 'versions' }))
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  await dialog.getByText('Wait 1 hour → 10 minutes').waitFor()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('“Campaign publish” is published as version 3.').waitFor()
  const after = await read(id)
  expect([after.currentVersion, after.draft.steps]).toEqual([3, draft.steps])
  expect(faults).toEqual([])
  await page.context().close()
})

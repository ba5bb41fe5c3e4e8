// Tests that people ask to publish in production, that others approve, decline or withdraw it, and what each role sees.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import {
  type Account,
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  visitSignedIn,
} from './given-dashboard.ts'

let given: GivenDashboard
let ann: Account
let bob: Account
let vic: Account
/** Of the owner. */
let office: Page
beforeAll(async () => {
  given = await givenDashboard()
  ann = await given.join('ann@example.com', 'editor')
  bob = await given.join('bob@example.com', 'editor')
  vic = await given.join('vic@example.com', 'viewer')
})
afterAll(() => given?.stop())

const prod = () => given.demo.environments.prod.id
const address = (path: string, query: Record<string, string> = {}) => given.address(path, { env: prod(), ...query })
const dialog = (page: Page) => page.locator('wa-dialog[open]')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  dialog(page).locator('#confirm-form').getByRole('button', { name, exact: true }).click()
const approval = (page: Page) => page.getByRole('region', { name: 'Approval' })

async function call<T>(method: string, path: string, data?: object): Promise<T> {
  const url = `${given.url}/v1/dashboard/environments/${prod()}${path}`
  const answer = await office.request.fetch(url, { method, headers: { 'x-nc-request': '1' }, ...(data && { data }) })
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as T
}

const definitionOf = (key: string, title = 'Hello') => ({
  ...{ key, name: `Campaign ${key}`, trigger: { event: 'order.paid' } },
  steps: [{ id: 'tell', type: 'inbox', title }],
})
const create = async (key: string) => (await call<CampaignAnswer>('POST', '/campaigns', definitionOf(key))).id
const read = (id: string) => call<CampaignAnswer>('GET', `/campaigns/${id}`)

const open = (path: string, heading: string, as: Account, query?: Record<string, string>) =>
  visitSignedIn(given, address(path, query), heading, {}, as)

test('an admin sets who publishes, and that a second person approves', async () => {
  const visited = await visitSignedIn(given, address(`environments/${prod()}`), 'prod')
  office = visited.page
  const card = office.locator('nc-publishing-card')
  await card.getByLabel('A second person approves').check()
  await card.getByLabel('Who publishes and approves').selectOption('admin')
  await press(office, 'Save')
  await office.getByText('Publishing is changed.').waitFor()
  expect(await call('GET', '')).toMatchObject({ requirePublishApproval: true, publishRole: 'admin' })
  expect(await findViolationsAround(office)).toEqual([])
  const editor = await open(`environments/${prod()}`, 'prod', ann)
  const shown = editor.page.locator('nc-publishing-card').getByLabel('A second person approves')
  expect([await shown.isChecked(), await shown.isDisabled()]).toEqual([true, true])
  expect([...visited.faults, ...editor.faults]).toEqual([])
  await editor.page.context().close()
})

test('an editor asks in the editor; an admin approves exactly that, from the notice on home', async () => {
  const id = await create('asked')
  const { page, faults } = await open(`campaigns/${id}/edit`, 'Campaign asked', ann)
  await press(page, 'Ask to publish')
  await dialog(page).getByText('Another person approves what is published in prod.').waitFor()
  await dialog(page).getByText('In prod: production, with real users.').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await dialog(page).getByLabel('Note').fill('For Monday')
  await confirm(page, 'Ask for approval')
  await page.getByText('“Campaign asked” waits for the approval of another person.').waitFor()
  await approval(page).getByText('You ask to publish this draft in prod.').waitFor()
  await approval(page).getByText('Another person approves it: an admin or an owner.').waitFor()
  expect(await approval(page).locator('wa-button').allInnerTexts()).toEqual(['Withdraw'])
  await press(page, 'Waits for approval')
  await dialog(page).getByText('ann@example.com asked for it.').waitFor()
  expect(await dialog(page).getByRole('button', { name: 'Ask for approval' }).count()).toBe(0)
  await confirm(page, 'Close')
  expect(await findViolationsAround(page)).toEqual([])
  expect((await read(id)).currentVersion).toBeNull()

  await office.goto(address('home'))
  const notice = office.getByRole('region', { name: 'Waits for approval' })
  await notice.getByText('for you to approve', { exact: false }).waitFor()
  expect(await findViolationsAround(office)).toEqual([])
  await notice.getByRole('link', { name: 'Campaign asked' }).click()
  await approval(office).getByText('ann@example.com asks to publish this draft in prod.').waitFor()
  await approval(office).getByText('“For Monday”').waitFor()
  expect(await findViolationsAround(office)).toEqual([])
  await approval(office).getByRole('button', { name: 'Approve' }).click()
  await dialog(office).getByText('This is its first version.').waitFor()
  await dialog(office).getByText('In prod: production, with real users.').waitFor()
  expect(await findViolationsAround(office)).toEqual([])
  await confirm(office, 'Approve and publish')
  await office.getByText('“Campaign asked” is published as version 1.').waitFor()
  await expect.poll(() => approval(office).count()).toBe(0)
  expect({ pendingPublish: null, ...(await read(id)) }).toMatchObject({ currentVersion: 1, pendingPublish: null })
  // The open editor reads it within its next poll.
  await expect.poll(() => approval(page).count()).toBe(0)
  await office.goto(address('audit-log'))
  await office.getByText('approved and published the campaign').first().waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the list of campaigns marks and finds what waits, and a viewer and another editor only look', async () => {
  const id = await create('listed')
  const editor = await open(`campaigns/${id}`, 'Campaign listed', ann)
  await press(editor.page, 'Ask to publish')
  await confirm(editor.page, 'Ask for approval')
  await approval(editor.page).waitFor()
  for (const account of [vic, bob]) {
    const { page, faults } = await open('campaigns', 'Campaigns', account)
    await page
      .getByRole('navigation', { name: 'Campaigns by state' })
      .getByRole('link', { name: /approval/ })
      .click()
    const row = page.getByRole('row', { name: /Campaign listed/ })
    await row.getByText('Waits for approval').waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(await findViolationsAround(page)).toEqual([])
    await row.getByRole('link').click()
    await approval(page).getByText('ann@example.com asks to publish this draft in prod.').waitFor()
    expect(await approval(page).getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  }
  await approval(editor.page).getByRole('button', { name: 'Withdraw' }).click()
  await dialog(editor.page).getByText('In prod: production').waitFor()
  await confirm(editor.page, 'Withdraw')
  await editor.page.getByText('Nobody asks any more to publish “Campaign listed”.').waitFor()
  await expect.poll(() => approval(editor.page).count()).toBe(0)
  expect(editor.faults).toEqual([])
  await editor.page.context().close()
})

test('who asked reads why it was declined; a change of the draft makes a request void', async () => {
  const id = await create('declined')
  const { page, faults } = await open(`campaigns/${id}/edit`, 'Campaign declined', ann)
  const ask = async () => {
    await press(page, 'Ask to publish')
    await confirm(page, 'Ask for approval')
    await approval(page).getByText('You ask to publish').waitFor()
  }
  await ask()
  await office.goto(address(`campaigns/${id}`))
  await approval(office).getByRole('button', { name: 'Decline' }).click()
  await dialog(office).getByLabel('Reason').fill('It promises too much')
  expect(await findViolationsAround(office)).toEqual([])
  await confirm(office, 'Decline')
  await office.getByText('“Campaign declined” is declined.').waitFor()
  const { email } = given.demo.dashboard
  await approval(page).getByText(`${email} has declined what you asked to publish in prod.`).waitFor()
  await approval(page).getByText('“It promises too much”').waitFor()
  expect(await findViolationsAround(page)).toEqual([])

  await ask()
  // The admin looks at it while the draft changes.
  await office.reload()
  await approval(office).getByRole('button', { name: 'Approve' }).click()
  await dialog(office).getByText('This is its first version.').waitFor()
  await page.getByRole('treeitem').filter({ hasText: 'Hello' }).click()
  await page.getByLabel('Title').first().fill('Hello you')
  await approval(page).getByText('ann@example.com has changed the draft that you asked to publish.').waitFor()
  await confirm(office, 'Approve and publish')
  await dialog(office).getByText('ann@example.com has changed the draft after it was asked for.').waitFor()
  await confirm(office, 'Cancel')
  await approval(office).getByText('The request is void.').waitFor()
  await approval(office).getByRole('button', { name: 'Remove this note' }).click()
  await expect.poll(() => approval(office).count()).toBe(0)
  expect({ pendingPublish: null, ...(await read(id)) }).toMatchObject({ currentVersion: null, pendingPublish: null })
  expect(faults).toEqual([])
  await page.context().close()
})

test('a change of a snippet that the draft uses makes a request void, and whoever approves reads it', async () => {
  const putFooter = (source: string) => call('PUT', '/snippets/footer', { source })
  await putFooter('Bye')
  const { id } = await call<CampaignAnswer>('POST', '/campaigns', definitionOf('texts', "{% render 'footer' %}"))
  const { page, faults } = await open(`campaigns/${id}/edit`, 'Campaign texts', ann)
  await press(page, 'Ask to publish')
  await confirm(page, 'Ask for approval')
  await approval(page).getByText('or of snippets and translations that it uses').waitFor()
  await office.goto(address(`campaigns/${id}`))
  await approval(office).getByRole('button', { name: 'Approve' }).click()
  await dialog(office).getByText('This is its first version.').waitFor()
  await putFooter('Ciao')
  await confirm(office, 'Approve and publish')
  const why = 'This has changed after it was asked for: the snippet footer.'
  await dialog(office).getByText(why).waitFor()
  await confirm(office, 'Cancel')
  const { email } = given.demo.dashboard
  await approval(office).getByText(`asked to publish a draft whose texts ${email} has changed since.`).waitFor()
  await approval(page).getByText(`You asked to publish a draft whose texts ${email} has changed since.`).waitFor()
  await approval(page).getByText(why).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await press(page, 'Ask to publish')
  await confirm(page, 'Ask for approval')
  await approval(page).getByText('You ask to publish').waitFor()
  await office.reload()
  await approval(office).getByRole('button', { name: 'Approve' }).click()
  await dialog(office).getByText('This is its first version.').waitFor()
  await confirm(office, 'Approve and publish')
  await office.getByText('“Campaign texts” is published as version 1.').waitFor()
  const beginning = `Tschüs ${'x'.repeat(60)}`
  await putFooter(`${beginning}\nRead me`)
  await press(page, 'Ask to publish')
  await dialog(page).getByText('Snippet “footer”: “Ciao” → “Tschüs x').waitFor()
  await confirm(page, 'Ask for approval')
  await approval(page).getByText('You ask to publish').waitFor()
  await office.reload()
  await approval(office).getByRole('button', { name: 'Approve' }).click()
  await dialog(office).getByText('The draft is that of the published version.').waitFor()
  await dialog(office).getByText('Snippet “footer”: “Ciao” → “Tschüs x').click()
  await dialog(office).getByRole('region', { name: 'Snippet “footer” side by side' }).getByText('Read me').waitFor()
  expect(await findViolationsAround(office)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

test('a backend that changed a draft or published it is named in words', async () => {
  await call('PUT', '', { sdkKeyMayManage: true })
  const id = await create('by-key')
  const { page, faults } = await open(`campaigns/${id}`, 'Campaign by-key', ann)
  await press(page, 'Ask to publish')
  await confirm(page, 'Ask for approval')
  await approval(page).getByText('You ask to publish').waitFor()
  const authorization = `Bearer ${given.demo.environments.prod.sdkSecretKey}`
  const byKey = (method: string, step = '', data: object = {}) =>
    office.request.fetch(`${given.url}/v1/campaigns/${id}${step}`, { method, data, headers: { authorization } })
  expect((await byKey('PUT', '', definitionOf('by-key', 'Other'))).status()).toBe(200)
  const key = 'backend with the SDK secret key'
  await page.reload()
  await approval(page).getByText(`A ${key} has changed the draft that you asked to publish.`).waitFor()
  await call('PUT', '', { requirePublishApproval: false })
  expect((await byKey('POST', '/publish')).status()).toBe(200)
  await page.goto(address(`campaigns/${id}`, { tab: 'versions' }))
  await page.getByText(`by a ${key}`).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('sec_')
  await call('PUT', '', { requirePublishApproval: true, sdkKeyMayManage: false })
  expect(faults).toEqual([])
  await page.context().close()
})

test('a roll back is asked for, too', async () => {
  const id = await create('back')
  const publish = async () => {
    await call('PUT', '', { requirePublishApproval: false })
    await call('POST', `/campaigns/${id}/publish`)
    await call('PUT', '', { requirePublishApproval: true })
  }
  await publish()
  await call('PUT', `/campaigns/${id}`, definitionOf('back', 'Second'))
  await publish()
  await call('PUT', `/campaigns/${id}`, definitionOf('back', 'Third'))
  await call('POST', `/campaigns/${id}/publish`)
  const { page, faults } = await open(`campaigns/${id}`, 'Campaign back', ann, { tab: 'versions' })
  const back = page.getByRole('button', { name: 'Roll back to version 1' })
  await back.click()
  await dialog(page).getByText('Title of “tell”: “Second” → “Hello”').waitFor()
  await dialog(page).getByText(`The request of ${given.demo.dashboard.email} to publish ends`).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await confirm(page, 'Ask for approval')
  await approval(page).getByText('You ask to publish this draft in prod.').waitFor()
  expect(await read(id)).toMatchObject({
    currentVersion: 2,
    draft: { steps: [{ title: 'Hello' }] },
    pendingPublish: { state: 'waiting' },
  })
  // The draft is that version already: it is asked for.
  await back.click()
  await dialog(page).getByText('ann@example.com asked for it.').waitFor()
  await confirm(page, 'Close')
  await office.goto(address(`campaigns/${id}`))
  await press(office, 'Archive')
  await dialog(office).getByText('The request of ann@example.com to publish ends').waitFor()
  await confirm(office, 'Cancel')
  expect(faults).toEqual([])
  await page.context().close()
})

test('without approval, whoever has not the role sees what would change, and whom to ask', async () => {
  await call('PUT', '', { requirePublishApproval: false, publishRole: 'admin' })
  const id = await create('role')
  const { page, faults } = await open(`campaigns/${id}/edit`, 'Campaign role', ann)
  await press(page, 'Publish')
  await dialog(page).getByText('Publishing in prod needs an admin or an owner').waitFor()
  await dialog(page).getByText('This is its first version.').waitFor()
  expect(
    await dialog(page)
      .getByRole('button', { name: /Publish|Ask/ })
      .count(),
  ).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  await confirm(page, 'Close')
  await office.goto(address(`campaigns/${id}`))
  await press(office, 'Publish')
  await confirm(office, 'Publish')
  await office.getByText('“Campaign role” is published as version 1.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

/** Controls of a viewer's editor that only look. */
const LOOKS = /^(Picture|JSON|Fit|Smaller|Larger|Fold|Unfold)/

/** @returns The labels of the controls that a person could use to change something. */
async function usableOf(page: Page, places: readonly string[]): Promise<string[]> {
  const inner = ['input', 'textarea', 'select', 'button', 'wa-button', '[contenteditable=true]']
  const controls = page.locator(places.flatMap((place) => inner.map((one) => `${place} ${one}`)).join(', '))
  const labels: string[] = []
  for (const control of await controls.all()) {
    if (!(await control.isVisible()) || (await control.isDisabled())) continue
    const label = await control.evaluate((one) =>
      (one as HTMLInputElement).readOnly === true
        ? ''
        : (one.getAttribute('aria-label') ?? (one.textContent || one.outerHTML.slice(0, 80))),
    )
    if (label !== '' && !LOOKS.test(label.trim())) labels.push(label.trim())
  }
  return labels
}

test('a viewer sees all of the editor and changes nothing: no control is refused', async () => {
  const key = 'looked-at'
  const steps = [
    {
      id: 'tell',
      type: 'inbox',
      title: 'Hello',
      body: 'Text',
      actions: [{ label: 'Open', link: '/a' }],
      locales: { fr: { title: 'Bonjour' } },
    },
    { id: 'wait', type: 'delay', for: 'PT10M' },
    { id: 'mail', type: 'email', subject: 'Receipt', markdown: 'Paid.', unless: { read: 'tell' } },
    {
      id: 'which',
      type: 'branch',
      branches: [
        { key: 'big', when: 'event.properties.total > 100', steps: [{ id: 'end', type: 'exit' }] },
        { key: 'rest', else: true, steps: [] },
      ],
    },
  ]
  const { id } = await call<CampaignAnswer>('POST', '/campaigns', { ...definitionOf(key), steps })
  const before = await read(id)
  const { page, faults } = await open(`campaigns/${id}/edit`, `Campaign ${key}`, vic)
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`)
  })
  const items = page.getByRole('treeitem')
  await items.first().waitFor()
  const usable: string[] = []
  for (let at = 0; at < (await items.count()); at++) {
    await items.nth(at).click()
    usable.push(...(await usableOf(page, ['.editor-side', '.editor-tools', '.editor-flow'])))
  }
  expect(usable).toEqual([])
  for (const part of ['Path', 'Why?', 'Send']) {
    await page.getByRole('group', { name: 'Beside the editor' }).getByRole('button', { name: part }).click()
    await expect.poll(() => page.locator('.editor-beside .loading').count()).toBe(0)
  }
  await page.keyboard.press('Delete')
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'JSON' }).click()
  await page.locator('.editor-flow .cm-content').waitFor()
  expect(await page.locator('.editor-flow .cm-content').getAttribute('contenteditable')).toBe('false')
  expect(await findViolationsAround(page)).toEqual([])
  expect(refused).toEqual([])
  expect(await read(id)).toEqual(before)
  expect(faults).toEqual([])
  await page.context().close()
})

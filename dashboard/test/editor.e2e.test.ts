// Tests the campaign editor: edits by keyboard and by drag, saves, what others save meanwhile, faults, a lost connection, roles.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignAnswer } from '../../contract/resources/campaign.ts'
import { findViolationsAround, type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const STEPS = [
  { id: 'tell', type: 'inbox', title: 'Thank you' },
  { id: 'wait', type: 'delay', for: 'PT10M' },
  {
    id: 'which',
    type: 'branch',
    branches: [
      {
        key: 'big',
        when: 'event.properties.total > 100',
        steps: [{ id: 'mail', type: 'email', subject: 'Receipt', markdown: 'Paid.' }],
      },
      { key: 'rest', else: true, steps: [] },
    ],
  },
]

async function createCampaign(key: string): Promise<string> {
  const body = { key, name: `Campaign ${key}`, trigger: { event: 'order.paid' }, steps: STEPS }
  const { id } = await given.call<CampaignAnswer>('POST', '/v1/campaigns', body)
  return id
}

const read = (id: string) => given.call<CampaignAnswer>('GET', `/v1/campaigns/${id}`)
const editorOf = (id: string) => given.address(`campaigns/${id}/edit`)
const item = (page: Page, text: string | RegExp) => page.getByRole('treeitem').filter({ hasText: text })
const saved = (page: Page) => page.locator('.save-state').getByText('Saved', { exact: true }).waitFor()

/** The ids of the steps in their order; inner ones follow theirs in brackets. */
const order = async (id: string): Promise<string> => {
  const idsOf = (steps: unknown): string =>
    (steps as { id: string; branches?: { steps: unknown }[] }[])
      .map((step) => step.id + (step.branches ?? []).map((branch) => `(${idsOf(branch.steps)})`).join(''))
      .join(' ')
  return idsOf((await read(id)).draft.steps)
}

const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)

test('steps are added, moved, copied, removed and brought back by keyboard alone', async () => {
  const id = await createCampaign('keys')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign keys')
  await item(page, 'Thank you').focus()
  await page.keyboard.press('+')
  await page.getByRole('menuitem', { name: 'Email' }).waitFor()
  await page.keyboard.press('e')
  await page.keyboard.press('Enter')
  await expect.poll(() => order(id)).toBe('tell mail-2 wait which(mail)()')
  await item(page, 'New mail').focus()
  for (const expected of [
    'tell wait mail-2 which(mail)()',
    'tell wait which(mail-2 mail)()',
    'tell wait which(mail mail-2)()',
    'tell wait which(mail)(mail-2)',
    'tell wait which(mail)() mail-2',
  ]) {
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => order(id)).toBe(expected)
  }
  await page.keyboard.press('Control+d')
  await expect.poll(() => order(id)).toBe('tell wait which(mail)() mail-2 mail-3')
  await page.keyboard.press('Delete')
  await page.locator('[role=treeitem]:focus', { hasText: 'New mail' }).waitFor()
  await page.keyboard.press('Delete')
  await expect.poll(() => order(id)).toBe('tell wait which(mail)()')
  for (let left = 9; left > 0; left--) await page.keyboard.press('Control+z')
  await saved(page)
  await expect.poll(() => order(id)).toBe('tell wait which(mail)()')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => order(id)).toBe('tell mail-2 wait which(mail)()')
  expect(faults).toEqual([])
  await page.context().close()
})

test('a step is moved by a drag, and a pasted one has an id of its own', async () => {
  const id = await createCampaign('drag')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign drag')
  const centre = async (selector: ReturnType<typeof item>) => {
    const box = await selector.boundingBox()
    if (box === null) throw new Error('nothing is drawn')
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  const [x, y] = await centre(item(page, 'Wait 10 minutes'))
  const [toX, toY] = await centre(page.locator('.flow-add').first())
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 20)
  await page.mouse.move(toX, toY + 5, { steps: 4 })
  await page.locator('.flow-add[data-aimed]').waitFor()
  await page.mouse.up()
  await expect.poll(() => order(id)).toBe('wait tell which(mail)()')
  await item(page, 'Thank you').click()
  await paste(
    page,
    JSON.stringify([
      { id: 'tell', type: 'inbox', title: 'Pasted' },
      { type: 'exit', id: 'end' },
    ]),
  )
  await expect.poll(() => order(id)).toBe('wait tell tell-2 end which(mail)()')
  expect(faults).toEqual([])
  await page.context().close()
})

test('what others save is merged; where both changed the same, a person chooses', async () => {
  const id = await createCampaign('both')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign both')
  const { draft } = await read(id)
  const [tell, ...rest] = STEPS
  await given.call('PUT', `/v1/campaigns/${id}`, { ...draft, steps: [{ ...tell, title: 'Thanks a lot' }, ...rest] })
  await item(page, 'Receipt').focus()
  await page.keyboard.press('Control+d')
  await expect.poll(() => order(id)).toBe('tell wait which(mail mail-2)()')
  expect((await read(id)).draft.steps).toMatchObject([{ title: 'Thanks a lot' }, {}, {}])
  await item(page, 'Thanks a lot').waitFor()

  // The page is alone for a moment, so that both change the same.
  await page.context().setOffline(true)
  await item(page, 'Thanks a lot').focus()
  await page.keyboard.press('Delete')
  await page.getByText('kept in this browser').waitFor()
  const newer = (await read(id)).draft as { steps: object[] }
  const changed = {
    ...newer,
    name: 'By others',
    steps: [{ ...newer.steps[0], title: 'Changed' }, ...newer.steps.slice(1)],
  }
  await given.call('PUT', `/v1/campaigns/${id}`, changed)
  await page.context().setOffline(false)
  const conflict = page.getByRole('alert').filter({ hasText: 'Choose for each' })
  await conflict.waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await conflict.getByText('steps.tell').waitFor()
  await conflict.getByRole('button', { name: 'Keep these' }).click()
  await expect.poll(() => order(id)).toBe('wait which(mail mail-2)()')
  await page.getByRole('heading', { level: 1, name: 'By others' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('a faulty draft stays in the browser with its fault, over a reload, and is saved once it is mended', async () => {
  const id = await createCampaign('faulty')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign faulty')
  await item(page, 'Receipt').click()
  await paste(page, JSON.stringify({ id: 'x', type: 'delay', for: 'soon' }))
  const list = page.getByRole('region', { name: '1 fault' })
  await list.getByText('This must be an ISO 8601 duration').waitFor()
  expect(await order(id)).toBe('tell wait which(mail)()')
  await page.reload()
  await page.getByText('is here again').waitFor()
  await list.getByText('This must be an ISO 8601 duration').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  await list.getByRole('button').click()
  await page.getByRole('toolbar', { name: 'This step' }).getByRole('button', { name: 'Remove' }).click()
  await saved(page)
  await page.reload()
  await item(page, 'Receipt').waitFor()
  await saved(page)
  expect(await page.getByText('is here again').count()).toBe(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('two people see each other, and each what the other one saves', async () => {
  const id = await createCampaign('two')
  const other = await given.join('second@example.com', 'editor')
  const first = await visitSignedIn(given, editorOf(id), 'Campaign two')
  const second = await visitSignedIn(given, editorOf(id), 'Campaign two', {}, other)
  await first.page.getByText(/^second.* has it open as well/).waitFor()
  await second.page.getByText('Demo owner has it open as well').waitFor()
  await item(first.page, 'Thank you').focus()
  await first.page.keyboard.press('Delete')
  await expect.poll(() => item(second.page, 'Thank you').count()).toBe(0)
  await second.page.context().close()
  await expect.poll(() => first.page.getByText('has it open as well').count()).toBe(0)
  expect([first.faults, second.faults]).toEqual([[], []])
  await first.page.context().close()
})

test('a viewer sees all of it and changes nothing', async () => {
  const id = await createCampaign('looked-at')
  const viewer = await given.join('looker@example.com', 'viewer')
  const { page, faults } = await visitSignedIn(given, editorOf(id), 'Campaign looked-at', {}, viewer)
  await page.getByText('Your role may look, and not change.').waitFor()
  await item(page, 'Thank you').click()
  for (const key of ['Delete', 'Control+d', '+', 'Alt+ArrowDown']) await page.keyboard.press(key)
  expect(await page.locator('.flow-add').count()).toBe(0)
  await item(page, 'Wait 10 minutes').waitFor()
  expect((await read(id)).revision).toBe(0)
  expect(await findViolationsAround(page)).toEqual([])
  expect(faults).toEqual([])
  await page.context().close()
})

// Tests in how few presses the home answers what people ask: why somebody got no message, what failed, which branch did better, who rotated a key.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenDashboard, givenDashboard, visitSignedIn } from './given-dashboard.ts'

let given: GivenDashboard
beforeAll(async () => {
  given = await givenDashboard()
})
afterAll(() => given?.stop())

const ORDER = { name: 'order.shipped', properties: { orderId: 'A-1', summary: 'Monstera', total: 48 } }

/** Does a task from the home on, and counts: a press, a typed text, and an answer to the palette are one each. */
class Task {
  steps = 0
  readonly page: Page
  readonly faults: string[]

  private constructor({ page, faults }: { page: Page; faults: string[] }) {
    this.page = page
    this.faults = faults
  }

  static begin = async (): Promise<Task> => new Task(await visitSignedIn(given, given.address('home'), 'Home'))

  async press(target: Locator): Promise<void> {
    this.steps += 1
    await target.click()
  }

  /** Opens the palette, types, and takes its first answer. */
  async ask(text: string, first: RegExp): Promise<void> {
    const { page } = this
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and go' }).waitFor()
    await page.keyboard.type(text)
    const option = page.getByRole('dialog', { name: 'Search and go' }).getByRole('option').first()
    await option.filter({ hasText: first }).waitFor()
    await page.keyboard.press('Enter')
    this.steps += 3
  }

  async end(mostSteps: number): Promise<void> {
    expect(this.steps).toBeLessThanOrEqual(mostSteps)
    expect(this.faults).toEqual([])
    await this.page.context().close()
  }
}

test('why Zoë got no message: three steps, and the remedy is a fourth', async () => {
  await given.call('PUT', '/v1/users/u_zoe', { name: 'Zoë' })
  await given.call('POST', '/v1/suppressions', { userId: 'u_zoe', channel: 'inbox' })
  await given.track({ ...ORDER, userId: 'u_zoe' })
  const task = await Task.begin()
  await task.ask('zoë', /Zoë/)
  await task.page.getByText(/gets nothing by inbox since .*: Decided by an operator\./).waitFor()
  await task.press(task.page.getByRole('button', { name: /^Remove the suppression of/ }))
  await task.page.getByText('The suppression is removed: inbox sends again.').waitFor()
  await task.end(4)
})

test('why Max got no message, where a condition was false: three steps, and its values are a fourth', async () => {
  const definition = {
    key: 'big-orders',
    name: 'Big orders',
    trigger: { event: 'order.placed', where: 'event.properties.total > 100' },
    steps: [{ id: 'tell', type: 'inbox', title: 'A big order' }],
  }
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', definition)
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  await given.call('PUT', '/v1/users/u_max', { name: 'Max' })
  await given.track({ name: 'order.placed', userId: 'u_max', properties: { total: 74 } })
  const task = await Task.begin()
  await task.ask('max', /Max/)
  const line = task.page.locator('.life li').filter({ hasText: 'order.placed' })
  await line.getByText('Big orders has a condition that was false').waitFor()
  await task.press(line.getByRole('link', { name: 'order.placed' }))
  await task.page.getByText('event.properties.total > 100').waitFor()
  await task.page
    .getByRole('region', { name: /Values that decided/ })
    .getByText('74')
    .waitFor()
  await task.end(4)
})

test('what was held back since yesterday: two steps', async () => {
  await given.call('POST', '/v1/suppressions', { userId: 'u_held', channel: 'inbox' })
  await given.track({ ...ORDER, userId: 'u_held' })
  const task = await Task.begin()
  await task.press(task.page.getByRole('button', { name: '24 hours' }))
  await task.press(task.page.locator('nc-not-sent').getByRole('link', { name: 'is suppressed' }))
  await task.page.getByRole('row').filter({ hasText: 'u_held' }).waitFor()
  await task.end(2)
})

test('which branch did better: two steps', async () => {
  const properties = { invoiceId: 'I-1', total: 900, currency: 'EUR', dueOn: 'Monday', daysOverdue: 0 }
  for (const daysOverdue of [0, 3])
    await given.track({ name: 'invoice.issued', userId: 'u_branch', properties: { ...properties, daysOverdue } })
  const task = await Task.begin()
  await task.press(task.page.locator('nc-top-campaigns').getByRole('link', { name: 'Invoice' }))
  await task.press(task.page.getByRole('tab', { name: 'Funnel' }))
  await expect
    .poll(() => task.page.locator('.branch-group').first().locator('.branch-name').allTextContents())
    .toEqual(['large', 'overdue'])
  await task.end(2)
})

test('who rotated the key: three steps', async () => {
  const { id } = given.demo.environments.dev
  const rotating = await visitSignedIn(given, given.address(`environments/${id}/secrets`), 'Secrets')
  const card = rotating.page.getByRole('region', { name: 'Enricher signing secret' })
  await card.getByRole('button', { name: 'Rotate' }).click()
  const dialog = rotating.page.locator('wa-dialog[open]')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByRole('button', { name: 'Done' }).waitFor()
  await rotating.page.context().close()
  const task = await Task.begin()
  await task.ask('audit', /Audit log/)
  await task.page
    .locator('.log-sentence')
    .filter({ hasText: new RegExp(`${given.demo.dashboard.email}\\s+rotated`) })
    .first()
    .waitFor()
  await task.end(3)
})

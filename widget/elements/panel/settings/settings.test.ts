// What a user wants to hear, set in the panel, in real Chromium against the real edge.

import { assert } from 'chai'
import type { InboxPreferences } from '../../../../contract/api.ts'
import {
  assertAccessible,
  inPanel,
  newUser,
  next,
  openPanel,
  part,
  parts,
  place,
  placeOpen,
  preferencesOf,
  press,
  removeAll,
  until,
} from '../../../test/given-widget.ts'
import type { NcErrorEvent } from '../../events.ts'
import type { NotificationCenter } from '../../notification-center.ts'
import type { Parts } from '../../parts.ts'

const toggle = (center: NotificationCenter, label: string) =>
  until(label, () => inPanel<HTMLInputElement>(center, `.settings .switch[aria-label="${label}"]`))
const inboxOf = async (user: string, category: string) =>
  (await preferencesOf(user)).categories.find(({ key }) => key === category)?.channels.inbox

async function inSettings(
  attributes: Record<string, string> = {},
): Promise<{ user: string; center: NotificationCenter }> {
  const { user, center } = await placeOpen(attributes)
  ;(await until('gear', () => inPanel(center, '.gear'))).click()
  await until('settings', () => inPanel(center, '.settings'))
  return { user, center }
}

/** The next PUT of preferences is answered so; `undefined` lets it through. */
function answerPut(status: number): () => void {
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (init?.method !== 'PUT') return real(input, init)
    return new Response(JSON.stringify({ code: 'request/rate-limited', message: '', correlationId: 'test' }), {
      status,
    })
  }
  return () => {
    globalThis.fetch = real
  }
}

/** Preferences are answered as by an environment that can send mail. */
function answerWithMail(): () => void {
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const answer = await real(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href)
    if (pathname !== '/v1/inbox/preferences') return answer
    const { categories, ...rest } = (await answer.json()) as InboxPreferences
    const withMail = categories.map((one) => ({ ...one, channels: { email: true, ...one.channels } }))
    return new Response(JSON.stringify({ ...rest, categories: withMail }), answer)
  }
  return () => {
    globalThis.fetch = real
  }
}

suite('settings', () => {
  teardown(removeAll)

  test('a category is switched off for a channel, and another tab finds it so', async () => {
    const { user, center } = await inSettings()
    const orders = await toggle(center, 'Your orders: Inbox')
    assert.isTrue(orders.checked)
    await assertAccessible(center)
    orders.click()
    await until('on the server', async () => (await inboxOf(user, 'orders')) === false)
    assert.isFalse(orders.checked)
    assert.isTrue((await toggle(center, 'Product news: Inbox')).checked)
    const beside = await place(user, { mode: 'inline' })
    ;(await until('gear', () => inPanel(beside, '.gear'))).click()
    assert.isFalse((await toggle(beside, 'Your orders: Inbox')).checked)
  })

  test('a channel that the environment cannot send by has no switch and no column', async () => {
    const { center } = await inSettings()
    await toggle(center, 'Your orders: Inbox')
    assert.lengthOf(center.shadowRoot?.querySelectorAll('.settings-heads span') ?? [], 1)
    assert.isNull(inPanel(center, '.switch[aria-label*="Email"]'))
  })

  test('where it can send mail, that has a column and a switch of its own', async () => {
    const undo = answerWithMail()
    try {
      const { center } = await inSettings()
      assert.isTrue((await toggle(center, 'Your orders: Email')).checked)
      assert.lengthOf(center.shadowRoot?.querySelectorAll('.settings-heads span') ?? [], 2)
      await assertAccessible(center)
    } finally {
      undo()
    }
  })

  test('what is critical says so and cannot be switched off', async () => {
    const { center } = await inSettings()
    const critical = await toggle(center, 'Invoices and payments: Inbox, Always on')
    assert.isTrue(critical.checked)
    assert.isTrue(critical.disabled)
    assert.include(critical.closest('.setting')?.textContent, 'Always on')
  })

  test('what the service refuses is put back, with a word', async () => {
    const { user, center } = await inSettings()
    const orders = await toggle(center, 'Your orders: Inbox')
    const undo = answerPut(429)
    try {
      orders.click()
      await until('word', () => inPanel(center, '.notice')?.textContent?.includes('put back'))
      await until('as before', () => orders.checked)
    } finally {
      undo()
    }
    assert.isTrue(await inboxOf(user, 'orders'))
    await assertAccessible(center)
  })

  test('quiet hours are set, moved and ended', async () => {
    const { user, center } = await inSettings()
    const quiet = await toggle(center, 'Quiet hours')
    quiet.click()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    await until('set', async () => (await preferencesOf(user)).quietHours?.start === '22:00')
    const start = await until('times', () => inPanel<HTMLInputElement>(center, '.hours input'))
    start.value = '21:30'
    start.dispatchEvent(new Event('change', { bubbles: true }))
    await until('moved', async () => (await preferencesOf(user)).quietHours?.start === '21:30')
    assert.deepEqual((await preferencesOf(user)).quietHours, { start: '21:30', end: '07:00', timeZone: zone })
    const zones = inPanel<HTMLSelectElement>(center, '.hours select') as HTMLSelectElement
    zones.value = 'Asia/Tokyo'
    zones.dispatchEvent(new Event('change', { bubbles: true }))
    await until('elsewhere', async () => (await preferencesOf(user)).quietHours?.timeZone === 'Asia/Tokyo')
    await assertAccessible(center)
    quiet.click()
    await until('ended', async () => (await preferencesOf(user)).quietHours === null)
    await until('no times', () => inPanel(center, '.hours') === null)
  })

  test('the focus goes in, Escape leads back to it, and nothing behind is walked or read', async () => {
    const { center } = await inSettings()
    const region = await until('region', () => inPanel(center, '.settings .detail-scroll'))
    await until('focus', () => center.shadowRoot?.activeElement === region)
    press(center, 'j')
    assert.equal(center.shadowRoot?.activeElement, region)
    press(center, 'Escape')
    await until('closed', () => inPanel(center, '.settings') === null)
    assert.equal(center.shadowRoot?.activeElement, inPanel(center, '.gear'))
    assert.isTrue(center.open)
    assert.lengthOf(parts(center, 'row'), 7)
  })

  test('settings that came and threw say that they cannot be shown, and report an error', async () => {
    const user = newUser()
    const center = await place(user)
    await openPanel(center, 0)
    const element = center.constructor as typeof NotificationCenter
    const real = element.parts as Parts
    element.parts = { ...real, loadSettings: () => Promise.reject(new TypeError('createPolicy is refused')) }
    try {
      const reported = next<NcErrorEvent>(center, 'nc-error')
      ;(await until('gear', () => inPanel(center, '.gear'))).click()
      assert.equal((await reported).code, 'client/part-failed')
      const notice = await until('notice', () => inPanel(center, '.notice'))
      assert.include(notice.textContent, 'The settings can’t be shown')
      assert.isNull(notice.querySelector('button'), 'trying again is of no use')
    } finally {
      element.parts = real
    }
  })

  test('they lead to the list of keys, which Escape closes', async () => {
    const { center } = await inSettings()
    ;(await until('link', () => inPanel(center, '.keys-link'))).click()
    const keys = await until('keys', () => inPanel(center, '.keys'))
    await until('focus', () => keys.contains(center.shadowRoot?.activeElement ?? null))
    press(center, 'Escape')
    await until('closed', () => inPanel(center, '.keys') === null)
    assert.isNotNull(inPanel(center, '.settings'))
  })

  test('out of reach they say so, and are there once they can be read', async () => {
    const user = newUser()
    const center = await place(user)
    await openPanel(center, 0)
    const real = globalThis.fetch
    globalThis.fetch = (input, init) =>
      String(input).includes('/preferences') ? Promise.reject(new TypeError('no network')) : real(input, init)
    try {
      ;(await until('gear', () => inPanel(center, '.gear'))).click()
      const failure = await until('failure', () => inPanel(center, '.settings [part~=error]'))
      assert.include(failure.textContent, 'The settings can’t be shown')
      await assertAccessible(center)
      globalThis.fetch = real
      failure.querySelector('button')?.click()
    } finally {
      globalThis.fetch = real
    }
    await toggle(center, 'Your orders: Inbox')
    assert.isNull(part(center, 'error'))
  })
})

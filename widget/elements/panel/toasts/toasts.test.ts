// Tests of toasts in real Chromium: what they show, when they go, and their action.

import { assert } from 'chai'
import type { InboxMessage } from '../../../../contract/api.ts'
import { newUser, next, parts, place, removeAll, track, until } from '../../../test/given-widget.ts'
import type { NcActionEvent } from '../../events.ts'
import { NcToasts } from './toasts.ts'

const MESSAGE: InboxMessage = {
  id: 'm1',
  seq: 1,
  title: 'Parcel',
  body: 'It is **on its way**.',
  bodyFormat: 'markdown',
  link: null,
  actions: [
    { label: 'Follow it', link: null, style: 'primary' },
    { label: 'Later', link: null, style: 'default' },
  ],
  category: null,
  entity: null,
  icon: null,
  imageUrl: null,
  priority: 'urgent',
  data: {},
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: null,
  unopened: true,
  readAt: null,
  openedAt: null,
  clickedAt: null,
  archivedAt: null,
  snoozedUntil: null,
}

function mounted(): NcToasts {
  const host = document.createElement('div')
  host.className = 'toasts-host'
  const toasts = new NcToasts()
  host.attachShadow({ mode: 'open' }).append(toasts)
  document.body.append(host)
  return toasts
}
const shown = (toasts: NcToasts): HTMLElement[] => [...toasts.querySelectorAll<HTMLElement>('[part~=toast]')]

suite('toasts', () => {
  teardown(() => {
    document.querySelector('.toasts-host')?.remove()
    removeAll()
  })

  test('a toast shows title, one line of the body without its marks, the time and the first action', async () => {
    const toasts = mounted()
    toasts.texts = () => ({ t: (key) => key, times: { relative: () => 'now' } })
    toasts.show([MESSAGE, { ...MESSAGE, id: 'm2', body: '', actions: [] }])
    await toasts.updateComplete
    const [first, second] = shown(toasts)
    assert.equal(first?.querySelector('strong')?.textContent, 'Parcel')
    assert.equal(first?.querySelector('.toast-body')?.textContent, 'It is on its way.')
    assert.equal(first?.querySelector('.time')?.textContent, 'now')
    assert.deepEqual(
      [...(first?.querySelectorAll('.button') ?? [])].map(({ textContent }) => textContent?.trim()),
      ['Follow it'],
    )
    assert.isTrue(first?.classList.contains('urgent'))
    assert.isNull(second?.querySelector('.toast-body, .button') ?? null)
  })

  test('a toast goes when its message expires, by the clock of the service, and an expired one never comes', async () => {
    const toasts = mounted()
    // It stands still, so that none is over before it is shown.
    const now = Date.now() + 3_600_000
    toasts.now = () => now
    const expiring = (id: string, inMs: number): InboxMessage => ({
      ...MESSAGE,
      id,
      expiresAt: new Date(now + inMs).toISOString(),
    })
    toasts.show([expiring('over', -1), expiring('soon', 400), expiring('next year', 365 * 86_400_000)])
    await toasts.updateComplete
    assert.lengthOf(shown(toasts), 2)
    await until('gone with its message', () => shown(toasts).length === 1)
    assert.deepEqual(
      toasts.messages.map(({ id }) => id),
      ['next year'],
    )
  })

  test('a message that arrives anew has one toast', async () => {
    const toasts = mounted()
    toasts.show([MESSAGE])
    toasts.show([{ ...MESSAGE, title: 'Parcel, again' }])
    await toasts.updateComplete
    assert.lengthOf(shown(toasts), 1)
    assert.include(shown(toasts)[0]?.textContent, 'Parcel, again')
  })

  test('its action is the page’s to handle, and takes the toast away', async () => {
    const user = newUser()
    const center = await place(user, { toasts: 'all' })
    await track(user, 'payment.failed')
    const toast = await until('toast', () => parts(center, 'toast')[0])
    const acted = next<NcActionEvent>(center, 'nc-action')
    center.addEventListener('nc-action', (event) => event.preventDefault(), { once: true })
    toast.querySelector<HTMLElement>('.button')?.click()
    const { action, message } = await acted
    assert.equal(action.label, message.actions[0]?.label)
    await until('gone', () => parts(center, 'toast').length === 0)
  })
})

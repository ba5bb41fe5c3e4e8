// What a page is handed of messages, and what of their words is shown: copies that change nothing, and text that reads as it is written.

import { assert } from 'chai'
import {
  fill,
  flood,
  newUser,
  next,
  openPanel,
  part,
  parts,
  place,
  removeAll,
  track,
  until,
} from '../test/given-widget.ts'
import type { NcArriveEvent, NcOpenMessageEvent } from './events.ts'

const TURNING = /[\u202a-\u202e\u2066-\u2069]/

/** Tries what a careless or hostile page may do; a refusal is as good as no effect. */
function change(change: () => void): void {
  try {
    change()
  } catch (error) {
    assert.instanceOf(error, TypeError)
  }
}

suite('messages', () => {
  teardown(removeAll)

  test('what a page does to the messages that it is handed changes nothing in the list', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user)
    const before = JSON.stringify(center.messages)
    const meddle = (message: (typeof center.messages)[number]): void => {
      change(() => Object.assign(message, { title: 'Changed', unopened: false }))
      change(() => Object.assign(message.data, { changed: true }))
      for (const action of message.actions) change(() => Object.assign(action, { label: 'Changed' }))
      change(() => void message.actions.pop())
    }
    center.renderRow = (message) => {
      meddle(message)
      return document.createTextNode(message.title)
    }
    for (const message of center.messages) meddle(message)
    center.messages.length = 0
    center.addEventListener('nc-open-message', ({ message }) => meddle(message))
    await openPanel(center, 7)
    parts(center, 'row')[0]?.click()
    await until('detail', () => part(center, 'detail'))
    // A change that is shown before the service has it makes another object.
    assert.isFalse(center.messages[0]?.unopened)
    for (const message of center.messages) meddle(message)
    const withoutTimes = (json: string) => json.replace(/"(readAt|openedAt|unopened)":[^,}]*,?/g, '')
    assert.equal(withoutTimes(JSON.stringify(center.messages)), withoutTimes(before))
  })

  test('an arrival that a page empties still has its toast, and other elements hear of it', async () => {
    const user = newUser()
    const center = await place(user, { toasts: 'all' })
    const other = await place(user)
    const heard = next<NcArriveEvent>(other, 'nc-arrive')
    center.addEventListener('nc-arrive', ({ messages }) => {
      change(() => Object.assign(messages[0] ?? {}, { title: 'Changed' }))
      messages.length = 0
    })
    await track(user, 'usage.high')
    assert.equal((await heard).messages[0]?.title, 'You have used 90 % of your storage')
    const toast = await until('toast', () => part(center, 'toast'))
    assert.include(toast.textContent, '90 %')
  })

  test('a title that turns the direction is shown, named and announced without it', async () => {
    const user = newUser()
    const center = await place(user, { toasts: 'all' })
    const arrived = next<NcArriveEvent>(center, 'nc-arrive')
    const text = 'invoice\u202Efdp.exe \u2067a\u2069 \u202Db\u202C'
    await track(user, 'flood.orders', { title: text, body: text })
    assert.equal((await arrived).messages[0]?.title, 'invoicefdp.exe a b')
    await until('toast', () => part(center, 'toast'))
    await until('announced', () => center.shadowRoot?.querySelector('[aria-live]')?.textContent?.includes('invoice'))
    const look = (where: string): void => {
      for (const each of center.shadowRoot?.querySelectorAll('*') ?? []) {
        for (const { name, value } of each.attributes) assert.notMatch(value, TURNING, `${where}: ${name}`)
        if (each.tagName !== 'STYLE') assert.notMatch(each.textContent ?? '', TURNING, where)
      }
    }
    look('arrival')
    await openPanel(center)
    look('list')
    assert.equal(part(center, 'title')?.textContent, 'invoicefdp.exe a b')
    const opened = next<NcOpenMessageEvent>(center, 'nc-open-message')
    parts(center, 'row')[0]?.click()
    assert.equal((await opened).message.body, 'invoicefdp.exe a b')
    await until('detail', () => part(center, 'detail'))
    look('detail')
  })

  test('nor do labels of actions and names of categories turn the direction', async () => {
    const { fetch } = globalThis
    // The service refuses such names today; what an older one has stored comes all the same.
    globalThis.fetch = async (...asked) => {
      const answer = await fetch(...asked)
      if (!/\/v1\/(inbox|messages)/.test(new Request(...asked).url)) return answer
      const turned = (await answer.text())
        .replaceAll('Update card', 'Pay\u202Edrac')
        .replaceAll('Your orders', 'Sto\u2067re\u2069s')
      return new Response(turned, answer)
    }
    try {
      const user = newUser()
      await fill(user)
      await flood(user, 1, 'billing')
      await flood(user, 1, 'orders')
      const center = await place(user)
      await openPanel(center)
      const shadow = center.shadowRoot as ShadowRoot
      const tabs = () => [...shadow.querySelectorAll('[role=tab]')].map(({ textContent }) => textContent?.trim())
      await until('the name of a category', () => tabs().includes('Stores'))
      const labels = () =>
        [...shadow.querySelectorAll('[part~=actions] > *')].map(({ textContent }) => textContent?.trim())
      await until('the label of an action', () => labels().includes('Paydrac'))
      assert.notMatch(JSON.stringify(center.messages), TURNING)
      shadow.querySelector<HTMLElement>('.gear')?.click()
      await until('the settings', () => shadow.querySelector('.settings')?.textContent?.includes('Stores'))
      for (const { textContent, attributes } of shadow.querySelectorAll('*'))
        assert.notMatch([textContent, ...[...attributes].map(({ value }) => value)].join(), TURNING)
    } finally {
      globalThis.fetch = fetch
    }
  })
})

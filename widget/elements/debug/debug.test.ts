// `debug` in real Chromium against the real edge: what it says of a page that works and of pages that do not, and what it never says.

import { assert } from 'chai'
import {
  assertAccessible,
  edge,
  fill,
  newUser,
  openPanel,
  place,
  removeAll,
  track,
  until,
} from '../../test/given-widget.ts'
import type { NotificationCenter } from '../notification-center.ts'

suite('debug', () => {
  teardown(() => {
    removeAll()
    document.documentElement.dir = ''
  })

  const panelOf = (center: NotificationCenter): HTMLElement | null =>
    center.shadowRoot?.querySelector<HTMLElement>('.debug') ?? null
  const textOf = (center: NotificationCenter): string => panelOf(center)?.textContent ?? ''
  const says = (center: NotificationCenter, words: RegExp): Promise<string> =>
    until(`says ${words}`, () => (words.test(textOf(center)) ? textOf(center) : null)).catch((error) => {
      throw new Error(`${error}; it says: ${textOf(center)}`)
    })
  /** Takes the clipboard's place for as long as `act` lasts. */
  async function copied(center: NotificationCenter): Promise<string> {
    let text = ''
    const writeText = async (given: string): Promise<void> => {
      text = given
    }
    const own = { configurable: true, value: { writeText } }
    Object.defineProperty(navigator, 'clipboard', own)
    try {
      panelOf(center)?.querySelector<HTMLElement>('.debug-copy')?.click()
      return await until('copied', () => text)
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard')
    }
  }

  test('a page that works is told as it is, and its text holds no token, address or message', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user, { debug: '' })
    await says(center, /ready · leads · socket up/)
    await openPanel(center, 7)
    await track(user, 'usage.high')
    await says(center, /nc-arrive 1 messages/)
    await says(center, /Elements that share1, in all tabs/)
    await says(center, /StorageIndexedDB, form \d+/)
    const text = await copied(center)
    assert.match(text, /State: ready/)
    assert.match(text, new RegExp(`api-key: nc_front_eu_….{4}\n {2}user-id: ${user}\n`))
    assert.match(text, /Socket: up/)
    assert.match(text, /Position: seq \d+ of epoch \S+/)
    assert.match(text, /Storage: IndexedDB, form \d+/)
    assert.match(text, /POST \/v1\/users\/auth → done in \d+ ms/)
    assert.match(text, /Nothing is wrong/)
    const secrets = [edge.tokens[user] ?? '', edge.frontApiKey, 'You have used', 'Rotterdam', 'example.com']
    for (const secret of secrets) assert.notInclude(text, secret)
    assert.notMatch(text, /nc_session|eyJ|Bearer/)
    for (const { title } of center.messages) assert.notInclude(text, title)
    await assertAccessible(center)
  })

  test('it follows the attribute: nothing of it is left when that goes', async () => {
    const center = await place(newUser(), { debug: '' })
    await says(center, /socket up/)
    center.debug = false
    await until('gone', () => panelOf(center) === null)
    center.debug = true
    await says(center, /debug is on, ready/)
    center.remove()
    await until('gone with the element', () => panelOf(center) === null)
  })

  test('set on a page that runs, it begins anew and sees the sign-in', async () => {
    const user = newUser()
    const center = await place(user)
    let readies = 0
    center.addEventListener('nc-ready', () => readies++)
    center.debug = true
    await says(center, /POST \/v1\/users\/auth → done/)
    await says(center, /ready · leads · socket up/)
    assert.equal(readies, 1)
  })

  test('two elements tell of each other, and only one leads', async () => {
    const user = newUser()
    const first = await place(user, { debug: '' })
    await says(first, /leads · socket up/)
    const second = await place(user, { debug: '' })
    await says(second, /ready · follows · socket not wanted here/)
    await says(second, /Elements that share2, in all tabs/)
    assert.isTrue(panelOf(second)?.classList.contains('second'))
  })

  for (const [what, attributes, words] of [
    ['a missing key', { 'api-key': '' }, /There is no `api-key`/],
    ['a secret key', { 'api-key': `nc_sdk_eu_${'ab'.repeat(24)}` }, /A secret key stands in this page.+Rotate/],
    ['an unknown key', { 'api-key': `nc_front_eu_${'ab'.repeat(24)}` }, /No environment has this Front API Key/],
    [
      'the code and the reference of a refusal',
      { 'api-key': `nc_front_eu_${'ab'.repeat(24)}` },
      /Failure401 auth\/invalid-api-key, reference \S+/,
    ],
    ['no token', { token: null }, /There is no `token`/],
    ['a token of another user', { token: 'ab'.repeat(32) }, /made with another secret, or for another user-id/],
    ['a token that ended', { token: `v2.1700000000.${'ab'.repeat(32)}` }, /The token ended \d+ days ago/],
    ['a JWT as backend token', { token: 'eyJhIjoxfQ.eyJhIjoxfQ.s' }, /is a JWT, but `auth-type` is backendToken/],
    ['a mode that is none', { mode: 'popup' }, /`mode` is "popup"/],
    ['a name that is none', { apikey: 'x' }, /There is no attribute `apikey`. ?Write `api-key`/],
    ['a locale that is none', { locale: 'english please' }, /`locale` is "english please"/],
    ['an address that is none', { 'base-url': 'notify' }, /`base-url` is no address/],
    ['a service that is not there', { 'base-url': 'http://127.0.0.1:9' }, /Nothing answers at http:\/\/127\.0\.0\.1:9/],
  ] as [string, Record<string, string | null>, RegExp][]) {
    test(`${what} is told in words`, async () => {
      const center = await place(newUser(), {}, '')
      for (const [name, value] of Object.entries({ debug: '', ...attributes })) {
        if (value === null) center.removeAttribute(name)
        else center.setAttribute(name, value)
      }
      await says(center, words)
    })
  }

  test('a script that stands twice, and an element that is not registered, are told', async () => {
    const scripts = ['1', '2'].map((version) => {
      const script = document.createElement('script')
      script.type = 'text/plain'
      script.src = `/widget/${version}/notification-center.js`
      return script
    })
    document.body.append(...scripts)
    const center = await place(newUser(), { debug: '' })
    await says(center, /The script stands in this page 2 times: .+\/1\/.+ and .+\/2\//)
    for (const script of scripts) script.remove()
  })

  test('on a phone, from right to left and without a clipboard it is whole, and folds away', async () => {
    document.documentElement.dir = 'rtl'
    const center = await place(newUser(), { debug: '', theme: 'dark' })
    await says(center, /socket up/)
    const panel = panelOf(center) as HTMLElement
    const { left, right, bottom } = panel.getBoundingClientRect()
    assert.isAtLeast(left, 0)
    assert.isAtMost(right, document.documentElement.clientWidth)
    assert.isAtMost(bottom, document.documentElement.clientHeight)
    assert.isAbove(left + right, document.documentElement.clientWidth, 'it stands where lines begin')
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    panel.querySelector<HTMLElement>('.debug-copy')?.click()
    const field = panel.querySelector('textarea') as HTMLTextAreaElement
    await until('by hand', () => !field.hidden)
    Reflect.deleteProperty(navigator, 'clipboard')
    assert.match(field.value, /^notification-center, /)
    await assertAccessible(center)
    panel.querySelector('summary')?.click()
    await until('folded', () => panel.offsetHeight < 60)
  })
})

// An element of the page's own with the inbox as its controller: it counts, shares, moves and signs out as ours does.

import { assert } from 'chai'
import { html, LitElement } from 'lit'
import { InboxController } from '../index.ts'
import { edge, newUser, place, removeAll, track, until } from '../test/given-widget.ts'

class OwnBell extends LitElement {
  userId = ''
  token = ''
  renders = 0
  readonly inbox = new InboxController(this, {
    baseUrl: () => edge.edgeUrl,
    credential: () => ({
      apiKey: edge.frontApiKey,
      authType: 'backendToken',
      userId: this.userId,
      token: this.token,
      tokenProvider: null,
    }),
  })

  protected override render() {
    this.renders++
    return html`<button>${this.inbox.counts.unread}</button>`
  }
  get shown(): string | undefined {
    return this.renderRoot.querySelector('button')?.textContent ?? undefined
  }
}
customElements.define('own-bell', OwnBell)

const plainFetch = globalThis.fetch
let signIns = 0

function placeOwn(userId: string): OwnBell {
  const own = new OwnBell()
  Object.assign(own, { userId, token: edge.tokens[userId] })
  document.body.append(own)
  return own
}

suite('a host of the page’s own', () => {
  setup(() => {
    signIns = 0
    globalThis.fetch = async (input, init) => {
      if (new URL(String(input), location.href).pathname === '/v1/users/auth') signIns++
      return plainFetch(input, init)
    }
  })
  teardown(() => {
    for (const own of document.querySelectorAll('own-bell')) own.remove()
    removeAll()
    globalThis.fetch = plainFetch
  })

  test('it renders what is counted, as it changes, and shares the sign-in of an element beside it', async () => {
    const user = newUser()
    const own = placeOwn(user)
    await until('ready', () => own.inbox.status === 'ready')
    assert.equal(own.shown, '0')
    const center = await place(user)
    await track(user, 'usage.high')
    await until('rendered', () => own.shown === '1' && center.unread === 1)
    assert.equal(own.inbox.messages[0]?.title, 'You have used 90 % of your storage')
    await own.inbox.markAllRead()
    await until('rendered again', () => own.shown === '0')
    assert.equal(signIns, 1)
  })

  test('moved it goes on, removed it ends, and it begins anew when it is back', async () => {
    const user = newUser()
    const own = placeOwn(user)
    await until('ready', () => own.inbox.status === 'ready')
    const elsewhere = document.body.appendChild(document.createElement('div'))
    elsewhere.append(own)
    await own.updateComplete
    assert.equal(own.inbox.status, 'ready')
    elsewhere.remove()
    await until('ended', () => own.inbox.status === 'signed-out')
    document.body.append(own)
    await until('ready again', () => own.inbox.status === 'ready')
  })

  test('after a sign-out it waits for signIn, and follows another user', async () => {
    const [user, other] = [newUser(), newUser()]
    await track(other, 'usage.high')
    const own = placeOwn(user)
    await until('ready', () => own.inbox.status === 'ready')
    await own.inbox.signOut()
    own.requestUpdate()
    await own.updateComplete
    assert.equal(own.inbox.status, 'signed-out')
    own.inbox.signIn()
    await until('ready again', () => own.inbox.status === 'ready')
    Object.assign(own, { userId: other, token: edge.tokens[other] })
    own.requestUpdate()
    await until('the other user', () => own.shown === '1')
  })
})

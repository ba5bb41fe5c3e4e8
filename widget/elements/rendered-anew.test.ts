// Pages whose framework sets every property anew at each render: nothing of that signs in again.

import { assert } from 'chai'
import { edge, newUser, place, removeAll, track, until } from '../test/given-widget.ts'
import type { TokenProvider } from '../transport/session.ts'

const RENDERS = 30
const plainFetch = globalThis.fetch
let signIns = 0
/** Of the last sign-in. */
let session = ''

const providerOf =
  (user: string, onAsked = (): void => {}): TokenProvider =>
  async () => {
    onAsked()
    return { userId: user, token: edge.tokens[user] ?? '' }
  }
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

suite('properties that are set at each render', () => {
  setup(() => {
    signIns = 0
    globalThis.fetch = async (input, init) => {
      const answer = await plainFetch(input, init)
      if (new URL(String(input), location.href).pathname === '/v1/users/auth') {
        signIns++
        session = (await answer.clone().json()).sessionToken
      }
      return answer
    }
  })
  teardown(() => {
    removeAll()
    globalThis.fetch = plainFetch
  })

  test('a new tokenProvider begins no sign-in, neither while one is under way nor after it', async () => {
    const user = newUser()
    const center = await place(user, {}, '')
    center.token = null
    for (let renders = 0; renders < RENDERS; renders++) {
      center.tokenProvider = providerOf(user)
      await nextTask()
    }
    await until('ready', () => center.state === 'ready')
    for (let renders = 0; renders < RENDERS; renders++) {
      center.tokenProvider = providerOf(user)
      await nextTask()
    }
    assert.equal(center.state, 'ready')
    await track(user, 'usage.high')
    await until('it still hears what arrives', () => center.unread === 1)
    assert.equal(signIns, 1)
  })

  test('the newest function is asked for the next token', async () => {
    const user = newUser()
    const center = await place(user, {}, '')
    const asked: string[] = []
    center.token = null
    center.tokenProvider = providerOf(user, () => asked.push('first'))
    await until('ready', () => center.state === 'ready')
    center.tokenProvider = providerOf(user, () => asked.push('second'))
    center.tokenProvider = providerOf(user, () => asked.push('third'))
    // The service ends the session: the next call needs another one.
    await plainFetch(`${edge.edgeUrl}/v1/inbox/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${session}` },
    })
    await center.refresh()
    await until('renewed', () => asked.length === 2)
    await center.signOut()
    assert.equal(center.state, 'signed-out')
    center.tokenProvider = providerOf(user, () => asked.push('fourth'))
    await until('ready again', () => center.state === 'ready')
    assert.deepEqual(asked, ['first', 'third', 'fourth'])
  })

  test('after a refusal a new function is asked at once; one at each refusal makes no loop of sign-ins', async () => {
    const user = newUser()
    const center = await place(user, {}, '')
    center.token = null
    const wrong = (): TokenProvider => async () => ({ userId: user, token: '00' })
    let errors = 0
    // As a page that renders what went wrong.
    center.addEventListener('nc-error', () => {
      errors++
      center.tokenProvider = wrong()
    })
    center.tokenProvider = wrong()
    await until('refused again', () => errors === 2)
    for (let renders = 0; renders < RENDERS; renders++) {
      center.tokenProvider = wrong()
      await nextTask()
    }
    // Each asks the function once more for another token, and then waits for at least a second.
    assert.isAtMost(signIns, 6)
    center.tokenProvider = providerOf(user)
    await until('ready', () => center.state === 'ready')
  })

  test('a token set anew, the same or another one of the same user, is kept for the next sign-in', async () => {
    const user = newUser()
    const center = await place(user, {}, '')
    const token = edge.tokens[user] ?? ''
    center.token = token
    await until('ready', () => center.state === 'ready')
    for (let renders = 0; renders < RENDERS; renders++) {
      center.token = token
      center.userId = user
      await nextTask()
    }
    for (const other of ['00', ` ${token}\n`, '00']) {
      center.token = other
      await nextTask()
    }
    await track(user, 'usage.high')
    await until('it still hears what arrives', () => center.unread === 1)
    assert.deepEqual([center.state, signIns], ['ready', 1])
    // The session ends: the newest token is used, and after its refusal another one at once.
    await plainFetch(`${edge.edgeUrl}/v1/inbox/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${session}` },
    })
    await center.refresh()
    await until('refused', () => center.state === 'error')
    center.token = ` ${token}\n`
    await until('ready again', () => center.state === 'ready')
  })

  test('an element that is moved, copied or away for a moment needs no other sign-in', async () => {
    const user = newUser()
    const center = await place(user)
    const copy = center.cloneNode(true) as typeof center
    center.remove()
    document.body.append(copy)
    await until('the copy is ready', () => copy.state === 'ready')
    copy.remove()
    // A permanent element of Turbo is out of the page while the next one is fetched.
    await plainFetch(`${edge.edgeUrl}/healthz`, { mode: 'no-cors' })
    document.body.append(copy)
    await track(user, 'usage.high')
    await until('it still hears what arrives', () => copy.unread === 1)
    assert.equal(signIns, 1)
    copy.remove()
    await until('a second later the session is over', () => copy.state === 'signed-out')
  })
})

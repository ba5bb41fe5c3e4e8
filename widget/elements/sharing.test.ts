// Several elements of one page, and the badge before anybody has signed in: who shares with whom, and who never does.

import { assert } from 'chai'
import { edge, fill, headOf, newUser, part, place, removeAll, track, until } from '../test/given-widget.ts'
import type { NotificationCenter } from './notification-center.ts'

const plainFetch = globalThis.fetch
/** Paths of the calls to the service, and what holds sign-ins back. */
let calls: string[] = []
let held: Promise<void> | undefined
const signIns = (): number => calls.filter((path) => path === '/v1/users/auth').length
const badge = (center: NotificationCenter): string =>
  part(center, 'badge')?.hidden === true ? '' : (part(center, 'badge')?.textContent ?? '')

/** What this browser keeps of the user's numbers. */
function unreadOnDisk(userId: string): Promise<number | undefined> {
  const opening = indexedDB.open('notification-center')
  return new Promise((resolve) => {
    opening.onsuccess = () => {
      const key = `inbox${JSON.stringify([edge.frontApiKey, edge.edgeUrl, userId])}`
      const asking = opening.result.transaction('log').objectStore('log').get(key)
      asking.onsuccess = () => {
        opening.result.close()
        resolve(asking.result?.head.unread)
      }
    }
  })
}

/** The newest numbers of this user are on disk. */
const kept = (userId: string, unread: number) =>
  until(`${unread} on disk`, async () => (await unreadOnDisk(userId)) === unread)

suite('sharing', () => {
  setup(() => {
    calls = []
    globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(String(input), location.href)
      calls.push(pathname)
      if (pathname === '/v1/users/auth') await held
      return plainFetch(input, init)
    }
  })
  teardown(() => {
    removeAll()
    held = undefined
    globalThis.fetch = plainFetch
  })

  test('elements of one user sign in once and read each page once; all hear what arrives', async () => {
    const user = newUser()
    await fill(user)
    const first = await place(user)
    const [second, third] = await Promise.all([place(user), place(user, { mode: 'inline' })])
    assert.equal(signIns(), 1)
    assert.equal(calls.filter((path) => path === '/v1/inbox/messages').length, 1)
    assert.deepEqual(
      // What the inline one shows is read as soon as it was in view for a moment.
      [first, second, third].map(({ unopened }) => unopened),
      [7, 7, 7],
    )
    const arrivals = [first, second].map((center) => until('arrival', () => center.unopened === 8))
    await track(user, 'usage.high')
    await Promise.all(arrivals)
  })

  test('an element that goes takes nothing from the others; one that comes back finds it all', async () => {
    const user = newUser()
    await fill(user)
    const [first, second] = [await place(user), await place(user)]
    first.remove()
    await until('out', () => first.state === 'signed-out')
    await track(user, 'usage.high')
    await until('the other hears', () => second.unopened === 8)
    document.body.append(first)
    await until('back', () => first.state === 'ready' && first.unopened === 8)
    assert.equal(signIns(), 1)
  })

  test('another user in one element changes nothing in the other, and wipes nothing of it', async () => {
    const [user, other] = [newUser(), newUser()]
    await fill(user)
    await track(other, 'usage.high')
    const [first, second] = [await place(user), await place(user)]
    await kept(user, 7)
    first.setAttribute('user-id', other)
    first.token = edge.tokens[other] ?? ''
    await until('the other user', () => first.state === 'ready' && first.messages.length === 1)
    assert.equal(first.unread, 1)
    assert.deepEqual([second.state, second.messages.length], ['ready', 7])
    assert.equal(signIns(), 2)
    await kept(user, 7)
  })

  test('a sign-out of one is that of all, and a credential for one signs in anew', async () => {
    const user = newUser()
    const [first, second] = [await place(user), await place(user)]
    await first.signOut()
    await until('both', () => second.state === 'signed-out')
    assert.equal(calls.filter((path) => path === '/v1/inbox/session').length, 1)
    second.token = edge.tokens[user] ?? ''
    await until('ready', () => second.state === 'ready')
    assert.equal(first.state, 'signed-out')
  })

  test('the badge that this browser knew last is there before any request, and is then put right', async () => {
    const user = newUser()
    await fill(user)
    const before = await place(user)
    await kept(user, 7)
    before.remove()
    await until('out', () => before.state === 'signed-out')
    await track(user, 'usage.high')
    let signInNow = (): void => {}
    held = new Promise((resolve) => {
      signInNow = resolve
    })
    calls = []
    const center = await place(user, {}, 'loading')
    await until('the badge', () => badge(center) === '7')
    assert.deepEqual(
      calls.filter((path) => path !== '/v1/users/auth'),
      [],
    )
    signInNow()
    await until('put right', () => badge(center) === '8')
    assert.equal((await headOf(user)).unread, 8)
  })

  test('a refused sign-in leaves no number of the user whose browser this was', async () => {
    const user = newUser()
    await fill(user)
    const before = await place(user)
    await kept(user, 7)
    before.remove()
    await until('out', () => before.state === 'signed-out')
    const center = await place(user, { token: 'wrong' }, 'error')
    assert.deepEqual([badge(center), center.unread, center.messages.length], ['', 0, 0])
  })

  test('after a sign-out the same credential set anew signs in again, all else does not', async () => {
    const user = newUser()
    const token = edge.tokens[user] ?? ''
    const center = await place(user)
    const signsIn = async (how: string, set: () => void): Promise<void> => {
      await center.signOut()
      Object.assign(center, { theme: 'dark', locale: 'en' })
      center.remove()
      document.body.append(center)
      await Promise.resolve()
      assert.equal(center.state, 'signed-out', how)
      const before = signIns()
      set()
      await until(`ready by ${how}`, () => center.state === 'ready')
      // Signed in, what is as it was asks nobody.
      set()
      await center.refresh()
      assert.equal(signIns(), before + 1, how)
    }
    await signsIn('attributes', () => {
      center.setAttribute('user-id', user)
      center.setAttribute('token', token)
    })
    const tokenProvider = async () => ({ userId: user, token })
    center.tokenProvider = tokenProvider
    await until('ready by a provider', () => center.state === 'ready')
    await signsIn('the same provider', () => {
      center.tokenProvider = tokenProvider
    })
  })

  test('without the service refresh() and signOut() settle all the same, and what is stored is gone', async () => {
    const user = newUser()
    await fill(user)
    const center = await place(user)
    await kept(user, 7)
    globalThis.fetch = async () => {
      throw new TypeError('no network')
    }
    await center.refresh()
    await until('told', () => center.state === 'offline')
    await center.signOut()
    assert.equal(center.state, 'signed-out')
    assert.equal(await unreadOnDisk(user), undefined)
  })
})

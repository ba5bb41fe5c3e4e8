// What the browser kept is shown before anybody has answered (contract section 13, decision 0208).

import { expect, test } from 'vitest'
import type { Credential } from '../transport/session.ts'
import { createInboxController, type InboxController } from './inbox-controller.ts'
import { inboxKey, openDrawer } from './storage.ts'

const credential: Credential = { apiKey: 'k', authType: 'backendToken', userId: 'u', token: 't', tokenProvider: null }
const silent = () => new Promise<never>(() => {})

test('the stored numbers are shown while it is not known yet whether a tab leads', async () => {
  // Without IndexedDB it keeps to its memory.
  const drawer = openDrawer()
  await drawer.update(inboxKey('k', 'http://edge', 'u'), () => ({ head: { unread: 3, unopened: 4 } }))
  let inbox: InboxController | undefined
  await new Promise<void>((resolve) => {
    inbox = createInboxController({
      baseUrl: 'http://edge',
      credential: () => credential,
      drawer,
      neighbours: { lockNames: silent, openChannel: () => ({ postMessage: () => {}, close: () => {} }) },
      parts: { loadCore: silent },
      onChange: resolve,
      onArrive: () => {},
      onFailure: () => {},
    })
  })
  expect(inbox?.counts).toEqual({ unread: 3, unopened: 4 })
  await inbox?.stop()
})

// Tests that a layout is stored once a day, that different ones have different hashes, and that a failure is not kept.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import { LAYOUT_RENEWAL_MS, type MailLayout } from '../../domain/mail/mail-layout.ts'
import { type GivenAuth, givenAuth } from '../../test/support/given-auth.ts'
import { createKeepLayout } from './keep-layout.ts'

const LOOK: EmailLook = {
  senderName: 'Shop',
  senderAddress: null,
  replyTo: null,
  layout: '{{ content }}',
  layoutFormat: 'html',
  tracking: { opens: true, clicks: true },
}
const LAYOUT: MailLayout = { look: LOOK, from: { name: null, address: 'shop@example.com' }, isCritical: false }

let stores: GivenAuth
beforeEach(async () => {
  stores = await givenAuth()
})
afterEach(() => stores.close())

/** Records what reaches the store, which refuses while `isAway`. */
function given() {
  const kept: { environmentId: number; hash: string; usedAt: number }[] = []
  const state = { now: 1_000_000, isAway: false, kept }
  const keep = createKeepLayout({
    mailLayouts: {
      async keep(environmentId, hash, layout, usedAt) {
        if (state.isAway) throw new Error('store away')
        await stores.stores.mailLayouts.keep(environmentId, hash, layout, usedAt)
        kept.push({ environmentId, hash, usedAt })
      },
    },
    clock: { now: () => state.now },
  })
  return { state, keep }
}

test('many mails at once store their layout once, and again after a day', async () => {
  const { state, keep } = given()
  const hashes = await Promise.all(Array.from({ length: 50 }, () => keep(1, { ...LAYOUT, look: { ...LOOK } })))
  expect(new Set(hashes).size).toBe(1)
  expect(state.kept).toEqual([{ environmentId: 1, hash: hashes[0], usedAt: 1_000_000 }])
  state.now += LAYOUT_RENEWAL_MS + 1
  expect(await keep(1, LAYOUT)).toBe(hashes[0])
  expect(state.kept.map(({ usedAt }) => usedAt)).toEqual([1_000_000, state.now])
})

test('each difference has a hash of its own, and each environment its own layout', async () => {
  const { state, keep } = given()
  const others: MailLayout[] = [
    LAYOUT,
    { ...LAYOUT, look: null },
    { ...LAYOUT, look: { ...LOOK, layout: '<p>{{ content }}</p>' } },
    { ...LAYOUT, from: { name: 'Shop', address: 'shop@example.com' } },
    { ...LAYOUT, from: { name: null, address: 'other@example.com' } },
    { ...LAYOUT, isCritical: true },
  ]
  const hashes = await Promise.all(others.map((layout) => keep(1, layout)))
  expect(new Set(hashes).size).toBe(others.length)
  expect(await keep(2, LAYOUT)).toBe(hashes[0])
  expect(state.kept).toHaveLength(others.length + 1)
})

test('a layout that could not be stored is stored with the next mail', async () => {
  const { state, keep } = given()
  state.isAway = true
  await expect(keep(1, LAYOUT)).rejects.toThrow('store away')
  state.isAway = false
  await keep(1, LAYOUT)
  expect(state.kept).toHaveLength(1)
})

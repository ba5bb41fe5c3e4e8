// Calls the API before the scripts of the page are loaded, and hands each answer to the first call of its address.

import { ownPath } from '../routing/prefix.ts'

/** All calls send these: an early answer is the one that the call would have got. A call whose early one failed is sent. */
export const CALL: { headers: Record<string, string>; credentials: RequestCredentials } = {
  headers: { accept: 'application/json', 'x-nc-request': '1' },
  credentials: 'same-origin',
}

/** An answer that nobody has taken by then is stale. */
const FRESH_MS = 10_000

const early = new Map<string, { askedAt: number; answer: Promise<unknown> }>()

/** Calls GET, and parses the answer at once: the page then renders it without another turn of the event loop. */
export function readEarly(address: string): void {
  const answer = fetch(ownPath(address), CALL).then((response) => (response.ok ? response.json() : undefined))
  early.set(address, { askedAt: Date.now(), answer: answer.catch(() => undefined) })
}

/** @returns The body that `readEarly` has asked for, once; undefined when there is none, for a failure, and a stale one. */
export async function takeEarly(address: string): Promise<unknown> {
  const read = early.get(address)
  early.delete(address)
  return read !== undefined && Date.now() - read.askedAt <= FRESH_MS ? read.answer : undefined
}

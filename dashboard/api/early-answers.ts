// Calls the API before the scripts of the page are loaded, and hands each answer to the first call of its address.

/** All calls send these, so that an early answer is the one that the call would have got. */
export const CALL: { headers: Record<string, string>; credentials: RequestCredentials } = {
  headers: { accept: 'application/json', 'x-nc-request': '1' },
  credentials: 'same-origin',
}

/** An answer that nobody has taken by then is stale. */
const FRESH_MS = 10_000

const early = new Map<string, { askedAt: number; answer: Promise<Response> }>()

export function readEarly(address: string): void {
  const read = { askedAt: Date.now(), answer: fetch(address, CALL) }
  early.set(address, read)
  // A failure that nobody waits for is asked for again: there may be a session by then.
  const drop = () => {
    if (early.get(address) === read) early.delete(address)
  }
  read.answer.then(({ ok }) => ok || drop(), drop)
}

/** @returns The answer that `readEarly` has asked for, once; undefined when there is none, or a stale one. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const read = early.get(address)
  early.delete(address)
  return read !== undefined && Date.now() - read.askedAt <= FRESH_MS ? read.answer : undefined
}

// Sends the calls that prepare a fuzz.

import type { Client } from './send.ts'

export type Call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  options?: { key?: string; cookie?: string; body?: unknown },
) => Promise<{ body: T; cookie: string }>

/** @returns Sends a call that must succeed. */
export function createCall(client: Client): Call {
  return async (method, path, { key, cookie, body } = {}) => {
    const answer = await client.send({
      method,
      target: path,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(cookie !== undefined && { cookie }),
        'x-nc-request': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      isFromNewAddress: true,
    })
    const { status, text, headers } = answer
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`)
    return { body: JSON.parse(text), cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
  }
}

// Tests servers that listen at all addresses without PUBLIC_URL: commands reach them, and callers get an address that is theirs.
// SQLite alone: what is tested lies before the store.

import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

/** Signs in as a browser does that knows the server by this host. @returns the address of the socket */
async function realtimeAt(given: GivenEdge, host: string, more: Record<string, string> = {}): Promise<string> {
  const { frontApiKey, authSecretKey } = given.demo.environments.dev
  const token = createHmac('sha256', authSecretKey).update('ada').digest('hex')
  const body = JSON.stringify({ apiKey: frontApiKey, userId: 'ada', token })
  const headers = { host, 'content-type': 'application/json', ...more }
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(`${given.url}/v1/users/auth`, { method: 'POST', headers, setHost: false })
    call.on('error', reject).on('response', (response) => resolve(text(response)))
    call.end(body)
  })
  return (JSON.parse(answer) as { realtime: { url: string } }).realtime.url
}

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', 'localhost'],
  ['[::]', 'localhost'],
])('HOST=%s: commands reach the server at %s, and the start warns', async (HOST, name) => {
  const lines: string[] = []
  const given = await givenEdge({ HOST }, { writeLog: (line) => void lines.push(line) })
  try {
    const own = `http://${name}:${given.settings.PORT}`
    expect(given.url).toBe(own)
    expect((await fetch(`${own}/healthz`)).status).toBe(200)
    const { findings } = JSON.parse((await givenNc(given.settings).nc('doctor --json')).out)
    expect(findings).toContainEqual({ check: 'Port', verdict: 'ok', words: `This service answers at ${own}.` })
    await expect.poll(() => lines.filter((line) => line.includes('PUBLIC_URL is not set'))).toHaveLength(1)
  } finally {
    await given.stop()
  }
})

test('the realtime address has the host of the caller where that is near, and no other', async () => {
  const given = await givenEdge({ HOST: '0.0.0.0' })
  try {
    expect(await realtimeAt(given, '192.168.1.5:3000')).toBe('http://192.168.1.5:3000')
    expect(await realtimeAt(given, 'localhost:3000')).toBe('http://localhost:3000')
    for (const host of ['evil.example', '8.8.8.8:3000', '192.168.1.5.evil.example']) {
      expect(await realtimeAt(given, host)).toBe(given.url)
    }
    expect(await realtimeAt(given, '192.168.1.5:3000', { 'x-forwarded-for': '10.0.0.1' })).toBe(given.url)
    // Mails and links are for others than the caller.
    const { link } = await givenNc(given.settings).json<{ link: string }>(
      `member invite --org ${given.demo.organisation.id} --email ada@example.com --role viewer`,
    )
    expect(link).toMatch(new RegExp(`^${given.url}/`))
  } finally {
    await given.stop()
  }
})

test.each<Record<string, string>>([
  { HOST: '127.0.0.1' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'https://x.example' },
  { HOST: '0.0.0.0', TRUSTED_PROXIES: '1' },
])('with %j the host of the caller decides nothing', async (env) => {
  const given = await givenEdge(env)
  try {
    expect(await realtimeAt(given, '192.168.1.5:3000')).toBe(env.PUBLIC_URL ?? given.url)
  } finally {
    await given.stop()
  }
})

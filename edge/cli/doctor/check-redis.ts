// Checks Redis for `nc doctor` with one command over a plain socket, so that no client library hides the error.

import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { startDeadline } from '../../lib/deadline.ts'
import { explainRedisFault, placeOf } from './explain-fault.ts'
import { type Finding, finding } from './finding.ts'

const WAIT_MS = 3000

/** @returns No finding without Redis and PostgreSQL. Never throws. */
export async function checkRedis(redisUrl: string | null, databaseUrl: string | null): Promise<Finding[]> {
  if (redisUrl === null) {
    if (databaseUrl === null) return []
    return [
      finding(
        'Redis',
        'note',
        'REDIS_URL is not set: right for one node. Several nodes need it for pushes between them.',
      ),
    ]
  }
  try {
    await ping(new URL(redisUrl))
    return [finding('Redis', 'ok', `It answers at ${placeOf(redisUrl)}.`)]
  } catch (error) {
    return [finding('Redis', 'wrong', explainRedisFault(error, redisUrl))]
  }
}

/** Throws the error of the network or of Redis. */
async function ping(url: URL): Promise<void> {
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) }
  const isTls = url.protocol === 'rediss:'
  const socket = isTls
    ? connectTls({ ...address, ...(isIP(address.host) === 0 && { servername: address.host }) })
    : connect(address)
  const endWait = startDeadline(WAIT_MS, () => {
    socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
  })
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect')
    for (const words of greetingOf(url)) {
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      const text = answer.toString('utf8').trim()
      if (text.startsWith('-')) throw new Error(text.slice(1))
    }
  } finally {
    endWait()
    socket.destroy()
  }
}

function greetingOf({ username, password, pathname }: URL): string[][] {
  const named = username === '' ? [] : [decodeURIComponent(username)]
  const greeting = [['PING']]
  if (password !== '') greeting.unshift(['AUTH', ...named, decodeURIComponent(password)])
  const number = Number(pathname.slice(1))
  return number === 0 ? greeting : [...greeting, ['SELECT', String(number)]]
}

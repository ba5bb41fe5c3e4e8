// The bus of several nodes, over Redis pub/sub: a channel per followed user, one for all nodes, one for this node's beat.
// Nothing is kept in Redis and nothing waits for it: a push that cannot go out is dropped, and clients heal by `seq`.

import { isIP } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Bus } from '../domain/bus.ts'
import type { Log } from '../lib/log.ts'
import { createFollowed } from './followed.ts'
import { createLink, type Line } from './link.ts'
import { createListeners, type OnListenerError } from './listeners.ts'
import { decode, encodePush, encodeTopic } from './wire.ts'

export interface RedisBusOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database as Redis writes them. */
  url: string
  /** Of this process alone. */
  nodeId: string
  /** Names the store: channels are not kept apart by the number of the database, and two deployments may use one Redis. */
  realm: string
  log: Log
  onListenerError?: OnListenerError
  /** Told of each word to other nodes: taken by Redis, or dropped. */
  onWord?(result: 'sent' | 'dropped'): void
}

/** More than this on its way to Redis (bytes) means that it does not keep up: what comes then is dropped. */
const MOST_UNSENT = 16 * 1024 * 1024
const PER_COMMAND = 256

/** Comes at once, and is up as soon as Redis can be reached. */
export function createRedisBus(options: RedisBusOptions): Bus {
  const { url, nodeId, log } = options
  const { db } = toAddress(url)
  // A copy of the store (a rehearsal, a restore elsewhere) has its realm, and another number.
  const prefix = `nc1:${options.realm}${db === 0 ? '' : `:${db}`}`
  const toAll = `${prefix}:all`
  const channelOf = (userNo: number) => `${prefix}:u:${userNo}`
  const ownChannel = `${prefix}:n:${nodeId}`
  const listeners = createListeners(options.onListenerError)
  const followed = createFollowed(channelOf, () => link.fail('it refuses to subscribe'))
  let unsent = 0
  /** Something was dropped that other nodes wait for: they are told as soon as that is possible. */
  let hasDropped = false
  let isReported = false

  const link = createLink({
    openLine: () => openLine(url),
    ownChannel,
    async prepare(ear) {
      await ear.subscribe(toAll, ownChannel)
      await followed.attach(ear)
    },
    onText: hear,
    onUp() {
      if (isReported) log.info('Redis is back.')
      isReported = false
      tellDropped()
      listeners.tell('pushes-lost', { nodeId })
    },
    onDown(reason) {
      followed.detach()
      if (!isReported && reason !== 'closed') log.warn('Redis is out of reach: pushes stay on their node.', { reason })
      isReported = true
    },
    onBeat() {
      followed.sweep()
      if (hasDropped) tellDropped()
    },
  })

  function hear(text: string): void {
    try {
      const word = decode(nodeId, text)
      if (word?.kind === 'push') listeners.tell('inbox-pushed', word.pushed)
      else if (word?.kind === 'topic') listeners.tell(word.topic, word.payload)
    } catch (error) {
      log.warn('A word on the bus could not be read.', { error })
    }
  }

  function send(channel: string, makeText: () => string): void {
    const mouth = link.mouth()
    if (mouth === undefined || unsent > MOST_UNSENT) {
      drop()
      return
    }
    const text = makeText()
    const size = text.length + PER_COMMAND
    unsent += size
    const settle = () => {
      unsent -= size
    }
    mouth.publish(channel, text).then(
      () => {
        settle()
        options.onWord?.('sent')
      },
      () => {
        settle()
        drop()
      },
    )
  }

  function drop(): void {
    hasDropped = true
    options.onWord?.('dropped')
  }

  function tellDropped(): void {
    hasDropped = false
    send(toAll, () => encodeTopic(nodeId, 'pushes-lost', { nodeId }))
  }

  link.open()
  return {
    publish(topic, payload) {
      listeners.tell(topic, payload)
      if ('text' in payload) send(channelOf(payload.userNo), () => encodePush(nodeId, payload))
      else send(toAll, () => encodeTopic(nodeId, topic, payload))
    },
    publishHere: listeners.tell,
    subscribe: listeners.subscribe,
    follow: followed.follow,
    unfollow: followed.unfollow,
    isUp: () => link.mouth() !== undefined,
    async close() {
      listeners.clear()
      link.close()
    },
  }
}

/** A client as this service wants it: no queue while Redis is away, no line on the console. Reconnects by itself. */
export function createRedisClient(url: string, options: RedisOptions = {}): Redis {
  const client = new Redis({
    ...toAddress(url),
    enableOfflineQueue: false,
    enableReadyCheck: false,
    disableClientInfo: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 3000,
    disconnectTimeout: 100,
    ...options,
  })
  // Without a listener each failed attempt would be written to the console. And the client hears but the first error of a
  // connection: a refused certificate is two, and the second would end the process.
  client.on('error', () => void client.stream?.on('error', () => {}))
  return client
}

function openLine(url: string): Line {
  const { db } = toAddress(url)
  const client = createRedisClient(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
  })
  let fault: Error | undefined
  client.on('error', (error: Error) => {
    fault = error
  })
  return {
    async connect() {
      await client.connect()
      // The client goes on in number 0 when its own is refused, and says nothing.
      if (db !== 0) await client.select(db)
    },
    publish(channel, text) {
      gatherWrites(client)
      return client.publish(channel, text)
    },
    subscribe: (...channels) =>
      client.subscribe(...channels).catch(async (error: unknown) => {
        // A wrong password is told of by an event, after the command behind it was refused for want of one.
        await setImmediate()
        throw fault ?? error
      }),
    unsubscribe: (...channels) => client.unsubscribe(...channels),
    onText: (listener) => void client.on('message', (_channel: string, text: string) => listener(text)),
    onClose: (listener) => void client.once('end', () => listener(fault?.message ?? 'the connection closed')),
    close: () => client.disconnect(),
  }
}

/** What one commit says goes out in one write: one for each word cost more than making the words. */
function gatherWrites({ stream }: Redis): void {
  if (stream === undefined || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

function toAddress(url: string): RedisOptions & { db: number } {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: port === '' ? 6379 : Number(port),
    db: Number(pathname.slice(1) || 0),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
  }
}

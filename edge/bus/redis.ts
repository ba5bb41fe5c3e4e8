// Connects several nodes by Redis pub/sub: a channel per followed user, one for all nodes, one for this node's heartbeat.
// Nothing is stored in Redis and nothing waits for it: a push that cannot be sent is dropped, and clients heal by `seq`.

import { isIP } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Bus } from '../domain/bus.ts'
import type { Log } from '../lib/log.ts'
import { createFollowed } from './followed.ts'
import { type Connection, createLink } from './link.ts'
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
  /** Called for each signal to other nodes: accepted by Redis, or dropped. */
  onSignal?(result: 'sent' | 'dropped'): void
}

/** Bytes on their way to Redis beyond which further signals are dropped: Redis does not keep up. */
const MAX_UNSENT = 16 * 1024 * 1024
/** Bytes that a command needs in addition to its text. */
const PER_COMMAND = 256

/** Creates the bus without waiting for Redis; it is up as soon as Redis is reached. */
export function createRedisBus(options: RedisBusOptions): Bus {
  const { url, nodeId, log } = options
  const { db } = toAddress(url)
  // A copy of the store (a rehearsal, a restore) has the same realm, and another database number.
  const prefix = `nc1:${options.realm}${db === 0 ? '' : `:${db}`}`
  const toAll = `${prefix}:all`
  const channelOf = (userNo: number) => `${prefix}:u:${userNo}`
  const ownChannel = `${prefix}:n:${nodeId}`
  const listeners = createListeners(options.onListenerError)
  const followed = createFollowed(channelOf, () => link.fail('subscribe refused'))
  let unsent = 0
  /** A signal was dropped: other nodes are notified as soon as Redis takes signals again. */
  let hasDropped = false
  let isReported = false

  const link = createLink({
    openConnection: () => openConnection(url),
    ownChannel,
    async prepare(subscriber) {
      await subscriber.subscribe(toAll, ownChannel)
      await followed.attach(subscriber)
    },
    onText: receive,
    onUp() {
      if (isReported) log.info('redis reachable again')
      isReported = false
      publishDropped()
      listeners.emit('pushes-lost', { nodeId })
    },
    onDown(reason) {
      followed.detach()
      if (!isReported && reason !== 'closed') log.warn('redis unreachable: pushes stay on their node', { reason })
      isReported = true
    },
    onHeartbeat() {
      followed.sweep()
      if (hasDropped) publishDropped()
    },
  })

  function receive(text: string): void {
    try {
      const signal = decode(nodeId, text)
      if (signal?.kind === 'push') listeners.emit('inbox-pushed', signal.pushed)
      else if (signal?.kind === 'topic') listeners.emit(signal.topic, signal.payload)
    } catch (error) {
      log.warn('bus signal ignored: unreadable', { error })
    }
  }

  function send(channel: string, makeText: () => string): void {
    const publisher = link.publisher()
    if (publisher === undefined || unsent > MAX_UNSENT) {
      drop()
      return
    }
    const text = makeText()
    const size = text.length + PER_COMMAND
    unsent += size
    const settle = () => {
      unsent -= size
    }
    publisher.publish(channel, text).then(
      () => {
        settle()
        options.onSignal?.('sent')
      },
      () => {
        settle()
        drop()
      },
    )
  }

  function drop(): void {
    hasDropped = true
    options.onSignal?.('dropped')
  }

  function publishDropped(): void {
    hasDropped = false
    send(toAll, () => encodeTopic(nodeId, 'pushes-lost', { nodeId }))
  }

  link.open()
  return {
    publish(topic, payload) {
      listeners.emit(topic, payload)
      if ('text' in payload) send(channelOf(payload.userNo), () => encodePush(nodeId, payload))
      else send(toAll, () => encodeTopic(nodeId, topic, payload))
    },
    publishHere: listeners.emit,
    subscribe: listeners.subscribe,
    follow: followed.follow,
    unfollow: followed.unfollow,
    isUp: () => link.publisher() !== undefined,
    async close() {
      listeners.clear()
      link.close()
    },
  }
}

/** Creates a client that queues nothing while Redis is unreachable, writes nothing to the console and reconnects by itself. */
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
  // Without a listener ioredis writes each failed attempt to the console. It listens to the first error of a connection only: a
  // refused certificate makes two, and the second would end the process.
  client.on('error', () => void client.stream?.on('error', () => {}))
  return client
}

function openConnection(url: string): Connection {
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
      // The client continues in number 0 without an error when its own number is refused.
      if (db !== 0) await client.select(db)
    },
    publish(channel, text) {
      gatherWrites(client)
      return client.publish(channel, text)
    },
    subscribe: (...channels) =>
      client.subscribe(...channels).catch(async (error: unknown) => {
        // The error of a wrong password is an event that comes after this command was refused.
        await setImmediate()
        throw fault ?? error
      }),
    unsubscribe: (...channels) => client.unsubscribe(...channels),
    onText: (listener) => void client.on('message', (_channel: string, text: string) => listener(text)),
    onClose: (listener) => void client.once('end', () => listener(fault?.message ?? 'the connection closed')),
    close: () => client.disconnect(),
  }
}

/** Sends the signals of one commit in one write: a write for each cost more than encoding them. */
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

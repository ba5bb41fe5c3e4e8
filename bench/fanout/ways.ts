// Implements the ways to send a push from the committing node to the node with the user's sockets over one Redis.

import { createShardedAdapter } from '@socket.io/redis-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'

/** The frame of a push as JSON, with its user. */
export interface Push {
  userNo: number
  frame: string
}

export interface Way {
  /**
   * Runs on the node with the sockets; `write` receives what would go to the user's socket. Resolves when all users are
   * subscribed.
   */
  subscribe(userNos: number[], write: (packet: string) => void): Promise<void>
  /** Runs on the committing node; resolves to its publish function. */
  openPublisher(): Promise<(push: Push) => void>
}

export type WayName = keyof typeof WAYS

const NODE = 'b'
const wrap = (frame: string) => `2["inbox",${frame}]`

/** Socket.IO's own adapter: rooms, a channel per room, packets as msgpack. */
function adapter(url: string): Way {
  const open = () =>
    new Server({ adapter: createShardedAdapter(new Redis(url), new Redis(url), { subscriptionMode: 'dynamic' }) })
  return {
    async subscribe(userNos, write) {
      const { adapter, sockets } = open().of('/')
      for (const userNo of userNos) {
        const id = `socket-${userNo}`
        // Implements the part of a socket that the adapter uses. Every way is measured up to the write to the
        // connection.
        const socket = {
          client: { writeToEngine: ([packet = '']: string[]) => write(packet) },
          notifyOutgoingListeners() {},
        }
        Reflect.apply(Map.prototype.set, sockets, [id, socket])
        adapter.addAll(id, new Set([`u:${userNo}`]))
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    },
    async openPublisher() {
      const io = open()
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return ({ userNo, frame }) => void io.to(`u:${userNo}`).emit('inbox', JSON.parse(frame))
    },
  }
}

/** Keeps a set of nodes per user in Redis; a script there reads it and publishes. */
function nodeByScript(url: string): Way {
  const script = `for _, node in ipairs(redis.call('SMEMBERS', KEYS[1])) do redis.call('PUBLISH', 'n:' .. node, ARGV[1]) end`
  return {
    async subscribe(userNos, write) {
      const map = new Redis(url)
      for (const userNo of userNos) await map.sadd(`u:${userNo}`, NODE)
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const subscriber = new Redis(url)
      subscriber.on('message', (_channel, text) => {
        const end = text.indexOf('\n')
        members.get(Number(text.slice(0, end)))?.(wrap(text.slice(end + 1)))
      })
      await subscriber.subscribe(`n:${NODE}`)
    },
    async openPublisher() {
      const client = new Redis(url)
      const sha = String(await client.script('LOAD', script))
      return ({ userNo, frame }) => void client.evalsha(sha, 1, `u:${userNo}`, `${userNo}\n${frame}`)
    },
  }
}

/** Keeps the whole map of users in each node; pushes of one turn to one node are one message. */
function nodeByMap(url: string): Way {
  return {
    async subscribe(userNos, write) {
      await new Redis(url).sadd('all', ...userNos)
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const subscriber = new Redis(url)
      subscriber.on('message', (_channel, text) => {
        const lines = text.split('\n')
        for (let at = 0; at + 1 < lines.length; at += 2) members.get(Number(lines[at]))?.(wrap(lines[at + 1] ?? ''))
      })
      await subscriber.subscribe(`n:${NODE}`)
    },
    async openPublisher() {
      const client = new Redis(url)
      const nodeOf = new Map((await client.smembers('all')).map((userNo) => [Number(userNo), NODE]))
      let waiting = ''
      return ({ userNo, frame }) => {
        if (!nodeOf.has(userNo)) return
        if (waiting === '') {
          setImmediate(() => {
            void client.publish(`n:${NODE}`, waiting)
            waiting = ''
          })
        }
        waiting += `${userNo}\n${frame}\n`
      }
    },
  }
}

/** Uses a channel per user: Redis' subscriptions are the map. */
function userChannel(url: string): Way {
  return {
    async subscribe(userNos, write) {
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const subscriber = new Redis(url)
      subscriber.on('message', (_channel, text) => {
        const end = text.indexOf('\n')
        members.get(Number(text.slice(0, end)))?.(wrap(text.slice(end + 1)))
      })
      await subscriber.subscribe(...userNos.map((userNo) => `u:${userNo}`))
    },
    async openPublisher() {
      const client = new Redis(url)
      return ({ userNo, frame }) => void client.publish(`u:${userNo}`, `${userNo}\n${frame}`)
    },
  }
}

export const WAYS = { adapter, nodeByScript, nodeByMap, userChannel }

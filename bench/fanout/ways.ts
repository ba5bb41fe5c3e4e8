// The ways to bring a push from the node that committed it to the node that has the user's sockets, over one Redis.

import { createShardedAdapter } from '@socket.io/redis-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'

/** The frame of a push as JSON, and whose it is. */
export interface Push {
  userNo: number
  frame: string
}

export interface Way {
  /** At the node with the sockets: `write` gets what would go to the user's socket. Resolves when all users are heard of. */
  hear(userNos: number[], write: (packet: string) => void): Promise<void>
  /** At the other node, ready to publish. */
  mouth(): Promise<(push: Push) => void>
}

export type WayName = keyof typeof WAYS

const NODE = 'b'
const wrap = (frame: string) => `2["inbox",${frame}]`

/** Socket.IO's own: rooms, a channel per room, packets as msgpack. */
function adapter(url: string): Way {
  const open = () =>
    new Server({ adapter: createShardedAdapter(new Redis(url), new Redis(url), { subscriptionMode: 'dynamic' }) })
  return {
    async hear(userNos, write) {
      const { adapter, sockets } = open().of('/')
      for (const userNo of userNos) {
        const id = `socket-${userNo}`
        // A socket as far as the adapter looks at it: what is measured ends where all ways write to the connection.
        const socket = {
          client: { writeToEngine: ([packet = '']: string[]) => write(packet) },
          notifyOutgoingListeners() {},
        }
        Reflect.apply(Map.prototype.set, sockets, [id, socket])
        adapter.addAll(id, new Set([`u:${userNo}`]))
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    },
    async mouth() {
      const io = open()
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return ({ userNo, frame }) => void io.to(`u:${userNo}`).emit('inbox', JSON.parse(frame))
    },
  }
}

/** A set of nodes per user in Redis, which a script there reads and publishes by. */
function nodeByScript(url: string): Way {
  const script = `for _, node in ipairs(redis.call('SMEMBERS', KEYS[1])) do redis.call('PUBLISH', 'n:' .. node, ARGV[1]) end`
  return {
    async hear(userNos, write) {
      const map = new Redis(url)
      for (const userNo of userNos) await map.sadd(`u:${userNo}`, NODE)
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const ear = new Redis(url)
      ear.on('message', (_channel, text) => {
        const end = text.indexOf('\n')
        members.get(Number(text.slice(0, end)))?.(wrap(text.slice(end + 1)))
      })
      await ear.subscribe(`n:${NODE}`)
    },
    async mouth() {
      const client = new Redis(url)
      const sha = String(await client.script('LOAD', script))
      return ({ userNo, frame }) => void client.evalsha(sha, 1, `u:${userNo}`, `${userNo}\n${frame}`)
    },
  }
}

/** Each node holds the whole map of all nodes; pushes of one turn to one node are one message. */
function nodeByMap(url: string): Way {
  return {
    async hear(userNos, write) {
      await new Redis(url).sadd('all', ...userNos)
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const ear = new Redis(url)
      ear.on('message', (_channel, text) => {
        const lines = text.split('\n')
        for (let at = 0; at + 1 < lines.length; at += 2) members.get(Number(lines[at]))?.(wrap(lines[at + 1] ?? ''))
      })
      await ear.subscribe(`n:${NODE}`)
    },
    async mouth() {
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

/** A channel per user: Redis' table of subscriptions is the map. */
function userChannel(url: string): Way {
  return {
    async hear(userNos, write) {
      const members = new Map(userNos.map((userNo) => [userNo, write]))
      const ear = new Redis(url)
      ear.on('message', (_channel, text) => {
        const end = text.indexOf('\n')
        members.get(Number(text.slice(0, end)))?.(wrap(text.slice(end + 1)))
      })
      await ear.subscribe(...userNos.map((userNo) => `u:${userNo}`))
    },
    async mouth() {
      const client = new Redis(url)
      return ({ userNo, frame }) => void client.publish(`u:${userNo}`, `${userNo}\n${frame}`)
    },
  }
}

export const WAYS = { adapter, nodeByScript, nodeByMap, userChannel }

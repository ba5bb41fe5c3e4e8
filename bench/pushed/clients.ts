// Runs a process of clients for `targeted`: a socket for each user, over the nodes in turn; reports when enough frames arrived.

import { setTimeout as delay } from 'node:timers/promises'
import { createCustomer } from '../customer.ts'
import { openRawSocket } from '../idle/raw-socket.ts'

export interface WatchTask {
  /** Addresses of an edge's nodes, or of a peer. */
  urls: string[]
  /** The edge's data folder; a peer has none, and its token is the user id. */
  dataDir: string | undefined
  count: number
}

const LANES = 16
const MOST_FAILURES = 20
const AGAIN_MS = 1000
const PEER_PATH = '/v1/realtime/'

const { urls, dataDir, count } = JSON.parse(process.argv[2] ?? '') as WatchTask
const customer = dataDir === undefined ? undefined : createCustomer(urls[0] ?? '', dataDir)
let frames = 0
let until = Number.POSITIVE_INFINITY

let next = 0
const lane = async () => {
  for (let at = next++; at < count; at = next++) await open(at)
}
await Promise.all(Array.from({ length: LANES }, lane))
frames = 0
process.on('message', ({ more }: { more: number }) => {
  until = frames + more
})
process.send?.('ready')

/** Opens a socket and resolves with its first frame. Retries after a refusal by a busy server, like the widget. */
async function open(at: number, failures = 0): Promise<void> {
  const user = `pushed_${at}`
  const url = urls[at % urls.length] as string
  const session = await customer?.signIn(user)
  const path = session?.realtime.path ?? PEER_PATH
  const auth =
    session === undefined
      ? { token: user }
      : { token: session.sessionToken, epoch: session.inbox.epoch, since: session.inbox.seq }
  const isOpen = await new Promise<boolean>((resolve) => {
    let hasFrame = false
    const onFrame = (text: string) => {
      // One frame may contain several messages: all that arrived between two turns of a busy server.
      frames += text.split('"op":"add"').length - 1
      if (frames >= until) {
        until = Number.POSITIVE_INFINITY
        process.send?.('all')
      }
      hasFrame = true
      resolve(true)
    }
    const onLost = (reason: string) => {
      if (!hasFrame && failures < MOST_FAILURES) return resolve(false)
      console.error(`a socket of ${url} was lost: ${reason}`)
      process.exit(1)
    }
    openRawSocket({ url, path, auth, onFrame, onLost })
  })
  if (isOpen) return
  await delay(AGAIN_MS)
  await open(at, failures + 1)
}

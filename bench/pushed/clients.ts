// One process of clients for `targeted`: a socket for each user, at the nodes in turn; tells when so many frames have come.

import { createCustomer } from '../customer.ts'
import { openRawSocket } from '../idle/raw-socket.ts'

export interface WatchTask {
  /** Of an edge's nodes, or of a peer. */
  urls: string[]
  /** The edge's; a peer has none and takes the user's id for a token. */
  dataDir: string | undefined
  count: number
}

const LANES = 16
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

/** Resolves with the first frame, which every server sends at once. */
async function open(at: number): Promise<void> {
  const user = `pushed_${at}`
  const url = urls[at % urls.length] as string
  const session = await customer?.signIn(user)
  const path = session?.realtime.path ?? PEER_PATH
  const auth =
    session === undefined
      ? { token: user }
      : { token: session.sessionToken, epoch: session.inbox.epoch, since: session.inbox.seq }
  await new Promise<void>((resolve) => {
    const onFrame = (text: string) => {
      // One frame may hold several messages: what came between two turns of a busy server.
      frames += text.split('"op":"add"').length - 1
      if (frames >= until) {
        until = Number.POSITIVE_INFINITY
        process.send?.('all')
      }
      resolve()
    }
    const onLost = (reason: string) => {
      console.error(`a socket of ${url} was lost: ${reason}`)
      process.exit(1)
    }
    openRawSocket({ url, path, auth, onFrame, onLost })
  })
}

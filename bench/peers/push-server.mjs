// Accepts the same HTTP batch as the edge and pushes a frame of equal size for each event, as the baseline of targeted pushes.
// `ws`: the library below Socket.IO, alone; `socket.io`: rooms, as its guide describes.

import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const PATH = '/v1/realtime'
const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    for (const { userId, properties } of JSON.parse(Buffer.concat(chunks).toString()).events) push(userId, properties)
    response.writeHead(202, { 'content-length': 2 })
    response.end('{}')
  })
})
const push = process.argv[2] === 'ws' ? pushByWs() : await pushBySocketIo()
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
)

function frameOf({ orderId, from, items, at }) {
  const state = { category: 'bench', priority: 'normal', entity: null, icon: null, image: null, actions: [] }
  const times = { createdAt: '2026-11-21T12:00:00.000Z', expiresAt: null, readAt: null, openedAt: null }
  const words = { title: `Your order ${orderId} is on its way`, body: `It left ${from} with ${items} items.` }
  const message = {
    id: 'msg_038egx057w0',
    seq: 1,
    ...words,
    link: `/orders/${orderId}`,
    data: { at },
    ...state,
    ...times,
  }
  return { epoch: '0123456789-rs', from: 0, seq: 1, unread: 1, unopened: 1, changes: [{ seq: 1, op: 'add', message }] }
}

/** Implements the part of Socket.IO's text protocol that the benchmark's client needs. */
function pushByWs() {
  const { WebSocketServer } = createRequire(createRequire(import.meta.url).resolve('engine.io'))('ws')
  const sockets = new Map()
  new WebSocketServer({ server, path: `${PATH}/`, perMessageDeflate: false }).on('connection', (socket) => {
    socket.send('0{}')
    socket.once('message', (text) => {
      sockets.set(JSON.parse(text.toString().slice(2)).token, socket)
      socket.send('42["inbox",{}]')
    })
  })
  return (userId, properties) => sockets.get(userId)?.send(`42${JSON.stringify(['inbox', frameOf(properties)])}`)
}

async function pushBySocketIo() {
  const { Server } = await import('socket.io')
  const io = new Server(server, { path: PATH, transports: ['websocket'], serveClient: false, perMessageDeflate: false })
  io.on('connection', (socket) => {
    socket.join(socket.handshake.auth.token)
    socket.emit('inbox', {})
  })
  return (userId, properties) => io.to(userId).emit('inbox', frameOf(properties))
}

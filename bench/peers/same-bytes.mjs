// Answers every GET with the bytes of the first argument by node:http: the baseline of inbox pages.

import { createServer } from 'node:http'

const body = process.argv[2]
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
)

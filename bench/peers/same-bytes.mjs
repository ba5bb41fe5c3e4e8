// What a page is compared with: bare node:http that answers every GET with the same bytes, the first argument, and does nothing else.

import { createServer } from 'node:http'

const body = process.argv[2]
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
)

// Reads the body, parses the JSON and answers with node:http alone: the baseline of the edge.

import { createServer } from 'node:http'

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { name } = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ name, duplicate: false })
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
)

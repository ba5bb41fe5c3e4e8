// What stands under socket.io-client in the widget (decision 0070): its manager and socket as published, over our engine and parser, which know WebSocket and text only. For the build and for the tests in the browser.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const lean = join(dirname(fileURLToPath(import.meta.url)), 'transport/lean')
const client = dirname(createRequire(import.meta.url).resolve('socket.io-client/package.json'))

const FILES = {
  'engine.io-client': join(lean, 'engine.ts'),
  'socket.io-parser': join(lean, 'parser.ts'),
  '@socket.io/component-emitter': join(lean, 'emitter.ts'),
  './contrib/backo2.js': join(lean, 'backoff.ts'),
  // Its root also builds the `io` function around a cache of managers, which nothing here calls.
  'socket.io-client': join(client, 'build/esm/manager.js'),
}

/** The file in place of an import, or undefined when it is none of these. */
export function leanFile(specifier) {
  return FILES[specifier]
}

/** Methods of the published classes that neither they nor we call. */
const UNUSED = new Set(
  `send compress volatile disconnected close onAny prependAny offAny listenersAny onAnyOutgoing prependAnyOutgoing
   offAnyOutgoing listenersAnyOutgoing connect disconnect`.split(/\s+/),
)
const KEPT = { 'socket.js': ['connect', 'disconnect'], 'manager.js': [] }

/** For the build: the client's classes without their unused methods. `parse` gives the syntax tree. */
export function withoutUnused(code, id, parse) {
  const name = Object.keys(KEPT).find((file) => id === join(client, 'build/esm', file))
  if (name === undefined) return undefined
  const methods = parse(code)
    .body.flatMap(({ declaration }) => (declaration?.type === 'ClassDeclaration' ? declaration.body.body : []))
    .filter(({ key }) => UNUSED.has(key?.name) && !KEPT[name].includes(key.name))
  let left = code
  for (const { start, end } of methods.toReversed()) left = left.slice(0, start) + left.slice(end)
  return left
}

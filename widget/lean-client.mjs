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
  // Its root also builds the `io` function around a cache of managers, which nothing here calls.
  'socket.io-client': join(client, 'build/esm/manager.js'),
}

/** The file in place of an import, or undefined when it is none of these. */
export function leanFile(specifier) {
  return FILES[specifier]
}

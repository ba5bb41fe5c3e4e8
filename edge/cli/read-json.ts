// JSON from a file that an operator names: a fault says of which file it is.

import { readFileSync } from 'node:fs'

export function readJson(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is no JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

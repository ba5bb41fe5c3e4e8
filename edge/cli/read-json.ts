// Reads JSON from a file of the operator; errors name the file.

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

// Parses what a person has typed as a JSON object.

import type { JsonObject } from '../../contract/json.ts'
import { InvalidInput } from './invalid-input.ts'

/** @returns An empty object for an empty text. @throws InvalidInput with `fault` unless the text is a JSON object. */
export function parseJsonObject(text: string, fault: string): JsonObject {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new InvalidInput(fault, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidInput(fault)
  return value as JsonObject
}

// Reads the definition in a text of JSON: the definition itself, or that of a campaign.

import { isObject } from '../../editor/step-tree.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import type { Draft } from './create-campaign.ts'

/** @throws InvalidInput with the place where the text is no JSON. */
export function definitionOf(text: string): Draft {
  const value = parse(text)
  if (!isObject(value)) throw new InvalidInput('This is no JSON object.')
  // Of a campaign, the draft; of a version, its definition.
  const inner = value.steps === undefined ? [value.draft, value.definition].find(isObject) : undefined
  return inner ?? value
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new InvalidInput('There is no text yet.')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new InvalidInput(`This is no JSON: ${placeOf(text, (cause as Error).message)}.`, { cause })
  }
}

/** Browsers name the place as a line and a column, as a position, or by the text around it. */
function placeOf(text: string, message: string): string {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  if (line !== undefined) return `see line ${line}, column ${column}`
  const [, position] = /position (\d+)/.exec(message) ?? []
  if (position === undefined) return message.replace(/\.$/, '')
  const before = text.slice(0, Number(position)).split('\n')
  return `see line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

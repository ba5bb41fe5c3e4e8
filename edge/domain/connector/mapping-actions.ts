// Parses what a mapping does beside naming an event: it drops, filters, identifies the user, and joins a topic.

import type { SourceIdentify, SourceMapping } from '../../../contract/tenant.ts'
import type { Reader } from '../field-reader.ts'
import { isUserId, USER_ID_RULE } from '../tracking/user-id.ts'
import { EXTERNAL_SYSTEM } from '../user.ts'

export const MAX_PATH_CHARS = 256
export const MAX_CONDITION_CHARS = 1024
const MAX_NAMES = 50
const MAX_SYSTEMS = 20
const MAX_NAME_CHARS = 128

const PATH = /^[^.\p{Cc}\p{Cs}]+(\.[^.\p{Cc}\p{Cs}]+)*$/u
export const PATH_RULE = 'A path of names joined by dots, such as data.object.customer.'
const NAME = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_NAME_CHARS}}$`, 'u')
const TEXTS = ['name', 'email', 'locale', 'timeZone'] as const

/** Whether a text is a path into an item. */
export function isPath(text: string): boolean {
  return text.length <= MAX_PATH_CHARS && PATH.test(text)
}

/** @returns The fields that are there; a false `drop` is none. */
export function readActions(reader: Reader): Pick<SourceMapping, 'drop' | 'where' | 'identify' | 'joinTopic'> {
  const drop = reader.raw('drop')
  if (drop !== undefined && typeof drop !== 'boolean') reader.fault('drop', 'This must be true or false.')
  const where = reader.optionalText('where', MAX_CONDITION_CHARS)
  const joinTopic = reader.optionalText('joinTopic', MAX_PATH_CHARS)
  if (joinTopic !== undefined && !isUserId(joinTopic)) reader.fault('joinTopic', USER_ID_RULE)
  const inner = reader.object('identify')
  const identify = inner && readIdentify(inner)
  return {
    ...(drop === true && { drop }),
    ...(where !== undefined && { where }),
    ...(identify !== undefined && { identify }),
    ...(joinTopic !== undefined && { joinTopic }),
  }
}

function readIdentify(reader: Reader): SourceIdentify {
  const known = [...TEXTS, 'attributes', 'externalIds']
  for (const key of reader.keys()) if (!known.includes(key)) reader.fault(key, 'identify has no such field.')
  const identify: SourceIdentify = {}
  for (const field of TEXTS) {
    const path = reader.optionalText(field, MAX_PATH_CHARS)
    if (path === undefined) continue
    if (!isPath(path)) reader.fault(field, PATH_RULE)
    identify[field] = path
  }
  const attributes = readPaths(reader, 'attributes', MAX_NAMES, NAME)
  const externalIds = readPaths(reader, 'externalIds', MAX_SYSTEMS, EXTERNAL_SYSTEM)
  return { ...identify, ...(attributes && { attributes }), ...(externalIds && { externalIds }) }
}

function readPaths(reader: Reader, key: string, most: number, names: RegExp): Record<string, string> | undefined {
  const inner = reader.object(key)
  if (inner === undefined) return undefined
  const keys = inner.keys()
  if (keys.length > most) reader.fault(key, `At most ${most} names.`)
  const paths = keys.slice(0, most).map((name) => {
    const path = inner.text(name, MAX_PATH_CHARS) ?? ''
    if (!names.test(name)) reader.fault(key, `${JSON.stringify(name.slice(0, MAX_NAME_CHARS))} is no name here.`)
    if (path !== '' && !isPath(path)) inner.fault(name, PATH_RULE)
    return [name, path]
  })
  return Object.fromEntries(paths) as Record<string, string>
}

// Describes the tables of what is learned of tracked events: their names, and the paths of their properties.

import { boolean, integer, table, text } from './table.ts'

export const EVENT_NAME = table('event_name', {
  environmentId: integer(),
  name: text(),
  events: integer(),
  sampled: integer(),
  isCut: boolean(),
  firstAt: integer(),
  /** The last time (ms) and three digits. */
  place: integer(),
})

export const EVENT_PATH = table('event_path', {
  environmentId: integer(),
  name: text(),
  path: text(),
  /** Sampled events that had the path; the next ones: with a value of that type there. */
  present: integer(),
  strings: integer(),
  numbers: integer(),
  booleans: integer(),
  nulls: integer(),
  objects: integer(),
  arrays: integer(),
  lastAt: integer(),
})

// Describes the tables of the installation: named values, the floor of ids and the nodes.

import { integer, table, text } from './table.ts'

export const META = table('meta', { name: text(), value: text() })

export const ID_FLOOR = table('id_floor', { slot: integer(), value: integer() })

export const NODES = table('nodes', {
  number: integer(),
  holder: text(),
  leasedUntil: integer(),
  /** Counts the users that other nodes have erased, whose numbers this node must drop. */
  erasures: integer(),
})

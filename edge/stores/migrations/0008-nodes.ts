// Adds the nodes that share a store, each with its own number under a lease (migration 8).

import type { Migration } from './migration.ts'

/** Ids have five bits for the node; the command line uses the last number, without a lease. */
const LEASED_NUMBERS = 31

export const nodes: Migration = {
  number: 8,
  oldestBinary: 1,
  statements: [
    // erasures: counts the users that other nodes have erased, whose numbers this node must drop.
    `CREATE TABLE nodes (number INTEGER PRIMARY KEY, holder TEXT NOT NULL, leased_until INTEGER NOT NULL, erasures INTEGER NOT NULL)`,
    `INSERT INTO nodes (number, holder, leased_until, erasures) VALUES ${Array.from(
      { length: LEASED_NUMBERS },
      (_, number) => `(${number}, '', 0, 0)`,
    ).join(', ')}`,
  ],
}

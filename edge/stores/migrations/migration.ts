// Describes one numbered change of the tables, and which of its statements make indexes of tables that have rows.

export interface Migration {
  number: number
  /** The lowest migration number that a program must know to work on the result. */
  oldestBinary: number
  statements: string[]
}

/** An index of a table that may be large. */
export interface LateIndex {
  name: string
  table: string
  /** `CREATE INDEX …` or `CREATE UNIQUE INDEX …`. */
  statement: string
}

const CREATE_TABLE = /^\s*CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i
const CREATE_INDEX = /^\s*CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+)\s+ON\s+(\w+)/i

/**
 * Separates the indexes of tables that existed before the migration: those tables may be large.
 * @returns the other statements, and those indexes in their order; no statement may need one of them
 */
export function splitMigration({ statements }: Migration): { inside: string[]; late: LateIndex[] } {
  const made = new Set(statements.map((statement) => CREATE_TABLE.exec(statement)?.[1]))
  const inside: string[] = []
  const late: LateIndex[] = []
  for (const statement of statements) {
    const [, name, table] = CREATE_INDEX.exec(statement) ?? []
    if (name === undefined || table === undefined || made.has(table)) inside.push(statement)
    else late.push({ name, table, statement })
  }
  return { inside, late }
}

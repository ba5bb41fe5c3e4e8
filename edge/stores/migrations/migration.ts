// Describes one numbered change of the tables.

export interface Migration {
  number: number
  /** The lowest migration number that a program must know to work on the result. */
  oldestBinary: number
  statements: string[]
}

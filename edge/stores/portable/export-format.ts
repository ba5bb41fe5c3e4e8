// Defines the export format (NDJSON): a head, the name and rows of each table, and an end record with their hashes.

import { hash } from 'node:crypto'
import type { Param } from '../sql/sql.ts'

export const FORMAT = 'notification-center-export'
export const FORMAT_VERSION = 1

export interface ExportHead {
  format: typeof FORMAT
  formatVersion: number
  /** The number of the last migration of the tables. */
  schemaVersion: number
  engine: string
  /** ISO 8601. */
  takenAt: string
  /** Whether a server worked on the store: its later writes are not in the export. */
  live: boolean
  /** Names of the master keys that encrypt its secrets. */
  sealedUnder: string[]
}

/** The line before the rows of a table. The rows follow, each a list of values in the order of the columns. */
export interface TableLine {
  table: string
  columns: string[]
}

export interface TableDigest {
  rows: number
  /** Hexadecimal; independent of the row order, because engines sort texts differently. */
  hash: string
}

export interface ExportEnd {
  end: true
  tables: Record<string, TableDigest>
  /** The highest number that each identity column has generated, by table. */
  identities: Record<string, number>
}

export type Row = Param[]
export type Line = ExportHead | TableLine | Row | ExportEnd

const MODULUS = 1n << 128n

/** Counts the rows of one table, and adds up their SHA-256 hashes (128 bits of each). */
export function createDigest() {
  let rows = 0
  let sum = 0n
  return {
    add(line: string): void {
      rows++
      sum = (sum + BigInt(`0x${hash('sha256', line, 'hex').slice(0, 32)}`)) % MODULUS
    },
    result: (): TableDigest => ({ rows, hash: sum.toString(16).padStart(32, '0') }),
  }
}

/**
 * Parses the first line of an export.
 * @throws Error with a text for the operator when the line is no head, or has another format version.
 */
export function parseHead(line: string): ExportHead {
  const head = line.startsWith('{') ? (parseLine(line) as Partial<ExportHead> | null) : null
  if (head === null || typeof head !== 'object' || head.format !== FORMAT)
    throw new Error('The file is no export: `export` writes one.')
  if (head.formatVersion !== FORMAT_VERSION) {
    throw new Error(`The file has format version ${head.formatVersion}, this program reads version ${FORMAT_VERSION}.`)
  }
  return head as ExportHead
}

/**
 * Parses a line.
 * @throws Error with a text for the operator when the line is no JSON.
 */
export function parseLine(line: string): Line {
  try {
    return JSON.parse(line) as Line
  } catch (cause) {
    throw new Error('The export is damaged, or cut off amid a line: a line is no JSON.', { cause })
  }
}

export function isEnd(line: Line): line is ExportEnd {
  return !Array.isArray(line) && 'end' in line
}

/** @returns A text about the first table that differs; null when all agree. */
export function firstDifference(
  expected: Record<string, TableDigest>,
  actual: Record<string, TableDigest>,
): string | null {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  for (const name of names) {
    const [left, right] = [expected[name], actual[name]]
    if (left?.rows !== right?.rows)
      return `${name}: ${left?.rows ?? 'no'} rows expected, ${right?.rows ?? 'none'} found`
    if (left?.hash !== right?.hash) return `${name}: the rows have another hash`
  }
  return null
}

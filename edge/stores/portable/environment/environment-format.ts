// Defines the file of one environment (NDJSON): a head, the name and rows of each table, and a signed end record
// (docs/decisions/0046-cells.md).

import type { TableDigest } from '../export-format.ts'

export const FORMAT = 'notification-center-environment'
export const FORMAT_VERSION = 1

export interface EnvironmentHead {
  format: typeof FORMAT
  formatVersion: number
  /** The number of the last migration of the tables. */
  schemaVersion: number
  engine: string
  /** ISO 8601. */
  takenAt: string
  environment: string
  name: string
  organisation: string
  /** Of the keys and addresses of the environment. */
  region: string
  /** Of the key that seals the secrets in the file. */
  salt: string
  keyId: string
  /** The highest number that each identity column of the source has generated, by table. */
  identities: Record<string, number>
  /** How far ids are ahead of the times of their rows (ms). */
  idLeadMs: number
}

export interface EnvironmentEnd {
  end: true
  tables: Record<string, TableDigest>
  /** HMAC-SHA256 of the head and the tables. */
  signature: string
}

/** @returns The text that the signature of the end record is of. */
export const signedText = (head: EnvironmentHead, tables: Record<string, TableDigest>): string =>
  JSON.stringify([head, tables])

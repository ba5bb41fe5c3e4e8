// Describes the table of enrichers.

import type { Enricher } from '../../domain/enricher.ts'
import { type ColumnsOf, integer, table, text } from './table.ts'

export const ENRICHER = table('enricher', {
  enricherNo: integer(),
  environmentId: integer(),
  name: text(),
  url: text(),
  timeoutMs: integer(),
  cacheSeconds: integer(),
  createdAt: integer(),
  updatedAt: integer(),
} satisfies ColumnsOf<Enricher>)

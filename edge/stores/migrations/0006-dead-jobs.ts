// Migration 6: dead jobs can be counted without a scan of those that wait (issue part 2, "Seeing inside").

import type { Migration } from '../migrate.ts'

export const deadJobs: Migration = {
  number: 6,
  oldestBinary: 1,
  statements: [`CREATE INDEX job_dead ON job (id) WHERE due_at IS NULL`],
}

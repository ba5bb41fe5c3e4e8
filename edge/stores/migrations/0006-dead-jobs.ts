// Indexes dead jobs, so that they are counted without a scan of waiting ones (migration 6).

import type { Migration } from './migration.ts'

export const deadJobs: Migration = {
  number: 6,
  oldestBinary: 1,
  statements: [`CREATE INDEX job_dead ON job (id) WHERE due_at IS NULL`],
}

// Tests that a case that runs on one engine alone is reported.

import { expect, test } from 'vitest'
import { findLeftOut, type Listed } from './engines.ts'

const on = (projectName: string, name: string, file = 'edge/test/a.test.ts'): Listed => ({ name, file, projectName })

test('a case that one engine does not run is named', () => {
  expect(findLeftOut([on('journeys', 'one'), on('journeys-postgres', 'one')])).toEqual([])
  expect(findLeftOut([on('journeys-deep', 'one'), on('journeys-deep-postgres', 'two')])).toEqual([
    'not run on postgres: edge/test/a.test.ts › one',
    'not run on sqlite: edge/test/a.test.ts › two',
  ])
})

test('a file that names its engine runs on that alone', () => {
  const sqlite = on('journeys', 'full', 'edge/test/disk.sqlite.test.ts')
  const postgres = on('journeys-deep-postgres', 'gone', 'edge/test/gone.deep.postgres.test.ts')
  expect(findLeftOut([sqlite, postgres])).toEqual([])
})

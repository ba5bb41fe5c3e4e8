// Tests that a store in memory leaves no file behind.

import { existsSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DRIVERS } from '../test/drivers.ts'
import { loadDriver } from './driver.ts'

test.each(DRIVERS)('a store in memory has no file (%s)', async (name) => {
  rmSync(':memory:', { force: true })
  const connection = (await loadDriver(name)).open(':memory:', 0)
  connection.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY)')
  connection.close()
  expect(existsSync(':memory:')).toBe(false)
})

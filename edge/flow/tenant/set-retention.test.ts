// Tests the setting of the retention.

import { expect, test } from 'vitest'
import { createSetRetention } from './change-organisation.ts'

const kept: [number, number][] = []
const setRetention = createSetRetention({
  retention: {
    async setDays(id, days) {
      kept.push([id, days])
      return id === 1
    },
  },
})

test('whole days are kept, for an organisation that exists', async () => {
  expect([await setRetention(1, 30), await setRetention(2, 30)]).toEqual([true, false])
  expect(kept).toEqual([
    [1, 30],
    [2, 30],
  ])
})

for (const days of [0, -1, 1.5, 3651, Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`${days} days are refused`, async () => {
    await expect(setRetention(1, days)).rejects.toMatchObject({ code: 'request/invalid-body' })
  })
}

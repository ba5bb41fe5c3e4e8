// Tests durations as they are typed.

import { expect, test } from 'vitest'
import { typedOf, writeTyped } from './typed-duration.ts'

const EMPTY = { amount: '', unit: 'hours' } as const

test('a duration of one unit is an amount, another one stays as it is written', () => {
  expect(typedOf('PT90M', EMPTY)).toEqual({ amount: '90', unit: 'minutes' })
  expect(typedOf('PT1H30M', EMPTY)).toEqual({ amount: 'PT1H30M', unit: undefined })
  expect(typedOf('', EMPTY)).toEqual(EMPTY)
  for (const duration of ['PT10M', 'P3W', 'P1DT2H', 'soon', ''])
    expect(writeTyped(typedOf(duration, EMPTY))).toBe(duration)
})

test('an amount that is no whole number is written as it is typed, so that the API reports it', () => {
  expect(writeTyped({ amount: ' 12 ', unit: 'days' })).toBe('P12D')
  expect(writeTyped({ amount: '1.5', unit: 'hours' })).toBe('1.5')
})

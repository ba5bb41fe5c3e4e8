// Tests the weights of bodies.

import { expect, test } from 'vitest'
import { createBodyWeight } from './body-weight.ts'

const FREE = 16 * 1024
const weigh = (text: string, chunkBytes = 1000) => {
  const add = createBodyWeight(FREE)
  const body = Buffer.from(text)
  let weight = 0
  for (let at = 0; at < body.length; at += chunkBytes) weight = add(body.subarray(at, at + chunkBytes))
  return weight
}

test('a small body weighs its bytes, however many values it has', () => {
  expect(weigh('{},'.repeat(5000))).toBe(15_000)
})

test('a large body weighs its values too, those of its first bytes included', () => {
  for (const chunkBytes of [1000, 100_000]) {
    expect(weigh('{},'.repeat(10_000), chunkBytes)).toBe(30_000 + 20_000 * 32)
    expect(weigh('[],'.repeat(10_000), chunkBytes)).toBe(30_000 + 20_000 * 32)
    expect(weigh('{"a":1},'.repeat(10_000), chunkBytes)).toBe(80_000 + 20_000 * 32 + 10_000 * 48)
    expect(weigh('x'.repeat(30_000), chunkBytes)).toBe(30_000)
  }
})

test('the heaviest body leaves space for another one', () => {
  expect(weigh('['.repeat(4 * 1024 * 1024), 65_536)).toBe(48 * 1024 * 1024)
})

// Tests that an object parsed in parts is the one that JSON.parse returns, for valid and for invalid texts.

import { expect, test } from 'vitest'
import { parseInParts } from './json-parts.ts'

const parse = (text: string): unknown => JSON.parse(text)

/** The value of each way, or that the text has a fault. */
async function both(text: string): Promise<[unknown, unknown]> {
  const fault = () => 'a fault'
  return [
    await parseInParts(text, { name: 'events', maxItems: 100 }, parse).catch(fault),
    await Promise.resolve()
      .then(() => parse(text))
      .catch(fault),
  ]
}

test('what stands outside of the list is measured before it is parsed', async () => {
  const sizes: number[] = []
  const parts = { name: 'events', maxItems: 2 }
  for (const text of ['{"events":[1,2,3,4],"x":[5]}', '[1,2,3]'])
    await parseInParts(text, parts, parse, (chars) => sizes.push(chars)).catch(() => {})
  expect(sizes).toEqual([expect.any(Number), 7])
  expect(sizes[0]).toBeLessThan(80)
})

const TEXTS = [
  '{"events":[{"a":1},{"b":[1,{"c":"]},"}]}],"x":1}',
  '{ "events" : [ 1 , "a,b" , null , [] ] }',
  '{"events":[]}',
  '{"events":[ \n ]}',
  '{"events":[{"a":"\\"]\\\\"},{}]}',
  '{"a":[{"events":[1,2]}],"events":[3]}',
  '{"events":[1],"events":[2,3]}',
  '{"events":[1],"events":[]}',
  '{"events":[1],"events":4}',
  '{"events":[1],"\\u0065vents":[2]}',
  '{"x":"events","y":[1,2]}',
  '{"x":"\\"events\\"","y":[1,2]}',
  '{"__proto__":1,"events":[{"__proto__":2}]}',
  '["events",[1,2]]',
  '"events"',
  '{"events":{"a":[1]}}',
  // Faults
  '{"events":[1,]}',
  '{"events":[,]}',
  '{"events":[1 2]}',
  '{"events":[{]}]}',
  '{"events":[1}',
  '{"events":[1',
  '{"events":[1]',
  '{"events":[1]}]',
  '{"events":["a]}',
  '{"events":[1],}',
  '{"events":[1],"events":[}]}',
  '{"events" "events"[1]}',
  '',
]

test.each(TEXTS)('%s', async (text) => {
  const [inParts, whole] = await both(text)
  expect(inParts).toEqual(whole)
})

test('of a list with too many items, one more is taken', async () => {
  const parseUpTo = (maxItems: number) =>
    parseInParts('{"events":[1,[2],{"a":3},4,],"x":5}', { name: 'events', maxItems }, parse)
  expect(await parseUpTo(2)).toEqual({ events: [1, [2], { a: 3 }], x: 5 })
  await expect(parseUpTo(4)).rejects.toThrow(SyntaxError)
})

test('ten thousand texts with a change at one place have the value or the fault of JSON.parse', async () => {
  const units = ['[', ']', '{', '}', ',', ':', '"', '\\', '1', ' ', 'events']
  let random = 7
  const next = (below: number) => {
    random = (random * 1103515245 + 12345) % 2147483648
    return random % below
  }
  for (let count = 0; count < 10_000; count++) {
    const text = TEXTS[next(TEXTS.length)] as string
    const at = next(text.length + 1)
    const changed = text.slice(0, at) + (units[next(units.length)] as string) + text.slice(at + next(2))
    const [inParts, whole] = await both(changed)
    expect(inParts, changed).toEqual(whole)
  }
})

test('other work happens while a large list is parsed', async () => {
  const item = `[${Array.from({ length: 20_000 }, () => '{}').join(',')}]`
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await parseInParts(`{"events":[${Array(50).fill(item).join(',')}]}`, { name: 'events', maxItems: 100 }, parse)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
